export { createPasswordMethod, PASSWORD, type PasswordInput } from './login-method.ts';
export { decoyFor } from './decoy.ts';
export { passwordFlaw, requireBoundedSecret, requireGoodPassword } from './policy.ts';
