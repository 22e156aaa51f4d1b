export { GUESS_LIMITS, guessSubject, totpPlace } from './second-factor-store.ts';
export {
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  presentTotpSecret,
  recoveryCodeHash,
  type SecondFactorVerifier,
  totpSecretOfFlow,
} from './second-factor-codes.ts';
export { notifyRefusedFactor } from './second-factor-service.ts';
