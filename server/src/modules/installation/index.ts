export { findMasterKeyId, lockInstallation, readMasterKeyId, writeMasterKeyId } from './store.ts';
