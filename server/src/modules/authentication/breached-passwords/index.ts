export { breachedPasswordsModule } from './module.ts';
export type { PasswordPolicy, TellOfBreach } from './service.ts';
