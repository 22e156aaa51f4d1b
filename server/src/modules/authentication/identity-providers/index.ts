export { findProvider, holdProvider, noteTested, providerOf } from './store.ts';
