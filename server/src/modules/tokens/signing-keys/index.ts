export { newSealedKey, type SealedSigningKey } from './create.ts';
export type { PublishKeys } from './publish-keys.ts';
export type { SignJwt } from './sign-jwt.ts';
export type { VerifyOwnJwt } from './verify-own-jwt.ts';
export type { KeyRing } from './key-ring.ts';
export { findSignedWith, type SignedWith } from './former.ts';
export { KEY_SET_MAX_AGE_SECONDS } from './rules.ts';
export { listKeysOf, replaceKeysIn, rotateKey } from './service.ts';
export { listSigningKeys } from './store.ts';
