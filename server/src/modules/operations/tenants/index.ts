export { writeTenant, type NewTenant } from './create.ts';
export { createTenantDeletion, type TenantDeletion } from './deletion.ts';
export { bindTenantRoutes } from './routes.ts';
export { presentTenant } from './present.ts';
export { findTenant } from './store.ts';
