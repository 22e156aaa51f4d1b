export { findProvider, providerOf } from './store.ts';
export { identityProvidersModule } from './module.ts';
