export { GUESS_LIMITS, guessSubject, totpPlace } from './second-factor-store.ts';
export type { SecondFactorVerifier } from './second-factor-verifier.ts';
export { notifyRefusedFactor } from './second-factor-service.ts';
export {
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  presentTotpSecret,
  recoveryCodeHash,
  totpSecretOfFlow,
} from './factor-codes.ts';
