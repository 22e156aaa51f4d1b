export { requireMasterKeyOnNodes } from './master-keys.ts';
