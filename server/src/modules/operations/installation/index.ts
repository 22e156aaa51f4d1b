export { countDataKeys, sampleDataKeys } from './data-keys-store.ts';
export { openDataKey, requireDataKeysAtHand, rotateMasterKey } from './rotation.ts';
export { findMasterKeyId, lockInstallation, shareMasterKeyId, writeMasterKeyId } from './store.ts';
export { findPlaceIfAllowed, notePromotion, requireSamePlace } from './place.ts';
export { judgePlace } from './place-rules.ts';
export { findRecordedPlace, type Place, recordPlace } from './place-store.ts';
