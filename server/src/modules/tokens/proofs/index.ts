export {
  createVerifyClientAssertion,
  createVerifyWorkloadToken,
  registeredKey,
  type VerifyClientAssertion,
  type VerifyWorkloadToken,
} from './assertions.ts';
export {
  createClientKeys,
  createIssuerKeys,
  type FoundKey,
  type IssuerKeys,
} from './remote-keys.ts';
export { endOf, jtiOf, requireGoodProofs, timesFlaw } from './proof-rules.ts';
export { type ClientRow, findClient, type Spend } from './proofs-store.ts';
