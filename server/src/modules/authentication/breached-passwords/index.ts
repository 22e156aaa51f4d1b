export { breachedPasswordsModule } from './module.ts';
export type { MustReplace, PasswordPolicy, TellOfBreach } from './service.ts';
