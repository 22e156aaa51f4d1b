export { TOTP } from './method.ts';
export { findTotpStep, newTotpSecret, presentTotpSecret, totpSecretOfFlow } from './codes.ts';
