export { TOTP } from './method.ts';
export { findTotpStep, newTotpSecret, presentTotpSecret } from './codes.ts';
