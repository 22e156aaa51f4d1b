export { createIdToken, type IdToken } from './id-token.ts';
export { findMetadataOf } from './store.ts';
