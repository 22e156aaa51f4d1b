export { newRecoveryCodes, recoveryCodeHash } from './codes.ts';
