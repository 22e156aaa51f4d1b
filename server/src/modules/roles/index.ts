export { ADMIN, MEMBER, SYSTEM_ADMIN } from './builtin.ts';
export { mayActOnUser, mayGrantRoles } from './service.ts';
export { insertBuiltinRoles } from './store.ts';
export { bindRoleRoutes } from './routes.ts';
