export { grantConsent, holdConsent } from './grant.ts';
export { consentsModule } from './module.ts';
export { type AllowedAt, findAllowedAt } from './allowed-store.ts';
