export { identityProvidersModule } from './module.ts';
