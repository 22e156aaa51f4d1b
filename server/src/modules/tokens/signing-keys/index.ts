export {
  findSignedWith,
  listKeysOf,
  newSealedKey,
  replaceKeysIn,
  rotateKey,
  type SealedSigningKey,
  type SignedWith,
} from './key-rotation.ts';
export type { ApplicationKeys } from './application-keys.ts';
export type { OwnJwts } from './own-jwts.ts';
export type { KeyRing } from './key-ring.ts';
export { KEY_SET_MAX_AGE_SECONDS } from './key-rules.ts';
export { listSigningKeys } from './signing-keys-store.ts';
