export { RECOVERY_CODE } from './method.ts';
export { newRecoveryCode, newRecoveryCodes, recoveryCodeHash } from './codes.ts';
