export {
  ClientAssertions,
  endOf,
  jtiOf,
  registeredKey,
  requireGoodProofs,
  timesFlaw,
  trustFits,
} from './assertions.ts';
export { ClientKeys, type FoundKey, IssuerKeys } from './remote-keys.ts';
export type { SpentStatements } from './proofs-store.ts';
