export { type NewTenant, presentTenant, writeTenant } from './create-tenant.ts';
export { TENANT_TABLES } from './deletion-store.ts';
export { findTenant } from './tenant-store.ts';
export { TenantDeletion } from './tenant-service.ts';
