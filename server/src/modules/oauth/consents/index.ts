export { grantConsent } from './grant.ts';
export { consentsModule } from './module.ts';
