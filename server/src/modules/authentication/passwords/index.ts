export {
  BREACHED_PASSWORD,
  createPasswordMethod,
  PASSWORD,
  type PasswordInput,
} from './login-method.ts';
export { decoyFor } from './decoy.ts';
export { isCommonPassword } from './leaked-list.ts';
export { type FindBreach, passwordFlaw, requireBoundedSecret } from './policy.ts';
