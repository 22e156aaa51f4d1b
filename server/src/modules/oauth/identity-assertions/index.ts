export { ASSERTION_TYP, type AssertedGrant, decideAssertion } from './rules.ts';
export { createVerifyAssertion, type VerifyAssertion, type Vouched } from './verify.ts';
