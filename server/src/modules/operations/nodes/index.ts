export { requireMasterKeyOnNodes } from './master-keys.ts';
export { nodesModule } from './module.ts';
