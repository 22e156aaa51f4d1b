export { bindSigningKeyRoutes } from './administration-routes.ts';
export { newSealedKey, type SealedSigningKey } from './create.ts';
export { createKeyRing, type KeyRing } from './key-ring.ts';
export { findSignedWith, type SignedWith } from './former.ts';
export { bindKeySetRoutes } from './routes.ts';
export { KEY_SET_MAX_AGE_SECONDS } from './rules.ts';
export { listKeysOf, rotateKey } from './service.ts';
export { listSigningKeys } from './store.ts';
