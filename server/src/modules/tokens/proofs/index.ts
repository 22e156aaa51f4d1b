export {
  ClientAssertions,
  WorkloadTokens,
  endOf,
  jtiOf,
  registeredKey,
  requireGoodProofs,
  timesFlaw,
} from './assertions.ts';
export { ClientKeys, type FoundKey, type IssuerKeys } from './remote-keys.ts';
export { type ClientRow, findClient, type SpentStatements } from './proofs-store.ts';
