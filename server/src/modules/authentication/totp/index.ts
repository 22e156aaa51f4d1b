export { findTotpStep, newTotpSecret, presentTotpSecret } from './codes.ts';
