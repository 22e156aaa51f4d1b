export {
  type PasswordPolicy,
  decoyFor,
  passwordFlaw,
  requireBoundedSecret,
} from './password-policy.ts';
