export { createTenants, type Tenants, writeTenant } from './create.ts';
export { tenantExists } from './store.ts';
