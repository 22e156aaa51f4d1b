export {
  createVerifyClientAssertion,
  registeredKey,
  type VerifyClientAssertion,
} from './client-assertion.ts';
export { createClientKeys } from './client-keys.ts';
export type { FoundKey } from './remote-keys.ts';
export { endOf, jtiOf, timesFlaw } from './statement-rules.ts';
export { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';
export { requireGoodProofs } from './requirements.ts';
export type { Spend } from './spend-store.ts';
export { type ClientRow, findClient } from './store.ts';
export { createVerifyWorkloadToken, type VerifyWorkloadToken } from './workload-token.ts';
