export { checkTotp } from './check.ts';
export type { TotpStore } from './totp-store.ts';
export { tellOfRefusal } from './told.ts';
export { GUESS_LIMITS, guessSubject, totpPlace } from './limits.ts';
