export {
  type Place,
  countDataKeys,
  findMasterKeyId,
  findRecordedPlace,
  lockInstallation,
  recordPlace,
  sampleDataKeys,
  shareMasterKeyId,
} from './installation-store.ts';
export { openDataKey, rotateMasterKey } from './master-key-rotation.ts';
export { findPlaceIfAllowed, judgePlace, notePromotion, requireSamePlace } from './place.ts';
export { drawSecret, type FirstStart, FirstStartService } from './first-start.ts';
