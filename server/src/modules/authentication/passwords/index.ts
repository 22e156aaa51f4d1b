export { decoyFor, passwordFlaw, requireBoundedSecret } from './password-rules.ts';
export type { PasswordPolicy } from './password-policy.ts';
