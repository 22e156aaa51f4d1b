export { inAppLoginsModule } from './module.ts';
