export {
  BREACHED_PASSWORD,
  createPasswordMethod,
  decoyFor,
  PASSWORD,
  passwordFlaw,
  type PasswordInput,
  requireBoundedSecret,
} from './password-rules.ts';
export type { MustReplace, PasswordPolicy, TellOfBreach } from './password-policy.ts';
