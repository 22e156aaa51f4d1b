export { proofsModule } from './module.ts';
export { createVerifyClientAssertion, type VerifyClientAssertion } from './client-assertion.ts';
export { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts';
export { requireGoodProofs } from './requirements.ts';
export { type ClientRow, findClient, spend } from './store.ts';
export { createVerifyWorkloadToken, type VerifyWorkloadToken } from './workload-token.ts';
