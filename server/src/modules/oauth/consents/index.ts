export { grantConsent, holdConsent } from './consent-service.ts';
export { type AllowedAt, findAllowedAt } from './consent-store.ts';
