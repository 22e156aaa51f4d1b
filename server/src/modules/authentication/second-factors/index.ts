export { GUESS_LIMITS, guessSubject, totpPlace } from './second-factor-store.ts';
export {
  type SecondFactorVerifier,
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  notifyRefusedFactor,
  presentTotpSecret,
  recoveryCodeHash,
  totpSecretOfFlow,
} from './second-factor-service.ts';
