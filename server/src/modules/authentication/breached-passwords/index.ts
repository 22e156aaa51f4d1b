export type { MustReplace, PasswordPolicy, TellOfBreach } from './service.ts';
