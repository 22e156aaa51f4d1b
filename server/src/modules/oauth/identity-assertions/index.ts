export { type AssertedGrant, ASSERTION_TYP, decideAssertion } from './rules.ts';
export { createVerifyAssertion, type VerifyAssertion, type Vouched } from './verify.ts';
