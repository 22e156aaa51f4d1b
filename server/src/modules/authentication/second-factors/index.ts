export { checkTotp } from './check.ts';
export { GUESS_LIMITS, guessSubject, totpPlace, type TotpStore } from './second-factor-store.ts';
export { tellOfRefusal } from './told.ts';
export {
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  presentTotpSecret,
  recoveryCodeHash,
  totpSecretOfFlow,
} from './factor-codes.ts';
