export { ClientAssertions, registeredKey, WorkloadTokens } from './assertions.ts';
export { ClientKeys, type FoundKey, IssuerKeys } from './remote-keys.ts';
export { endOf, jtiOf, requireGoodProofs, timesFlaw } from './proof-rules.ts';
export { type ClientRow, findClient, type SpentStatements } from './proofs-store.ts';
