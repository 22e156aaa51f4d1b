export { findProvider, holdProvider, providerOf } from './store.ts';
export { identityProvidersModule } from './module.ts';
