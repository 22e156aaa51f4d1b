export { grantAndLockConsent, grantConsent } from './consent-service.ts';
export { type ConsentedResource, findConsentedResources } from './consent-store.ts';
