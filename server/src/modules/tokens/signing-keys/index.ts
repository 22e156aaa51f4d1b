export {
  findSignedWith,
  listKeysOf,
  newSealedKey,
  replaceKeysIn,
  rotateSigningKey,
  type SealedSigningKey,
} from './key-rotation.ts';
export type { ApplicationKeys } from './application-keys.ts';
export type { ApplicationJwts } from './application-jwts.ts';
export { KEY_SET_MAX_AGE_SECONDS, type KeyRing } from './key-ring.ts';
export { listSigningKeys } from './signing-keys-store.ts';
