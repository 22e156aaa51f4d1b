export { countDataKeys, sampleDataKeys } from './data-keys-store.ts';
export { openDataKey, requireDataKeysAtHand, rotateMasterKey } from './rotation.ts';
export { findMasterKeyId, lockInstallation, writeMasterKeyId } from './store.ts';
