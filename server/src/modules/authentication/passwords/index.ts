export { createPasswordMethod, PASSWORD } from './login-method.ts';
export { passwordFlaw, requireBoundedSecret, requireGoodPassword } from './policy.ts';
