export { findProvider, holdProvider, noteTested, providerOf } from './store.ts';
export { identityProvidersModule } from './module.ts';
