export { type NewTenant, writeTenant } from './create.ts';
export { TENANT_TABLES } from './deletion-store.ts';
export { createTenantDeletion } from './deletion.ts';
export { presentTenant } from './present.ts';
export { findTenant } from './store.ts';
