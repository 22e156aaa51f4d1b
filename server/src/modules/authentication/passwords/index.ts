export { createPasswordMethod, PASSWORD, type PasswordInput } from './login-method.ts';
export { passwordFlaw, requireBoundedSecret, requireGoodPassword } from './policy.ts';
