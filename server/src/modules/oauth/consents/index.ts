export { grantConsent, holdConsent } from './grant.ts';
export { type AllowedAt, findAllowedAt } from './allowed-store.ts';
