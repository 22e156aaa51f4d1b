export { ADMIN, MEMBER, SYSTEM_ADMIN } from './builtin.ts';
export {
  holdRoles,
  isLastSystemAdministrator,
  mayActOnUser,
  mayGrantRoles,
  type RoleChange,
  roleChange,
  scopesNotHeld,
} from './service.ts';
export { insertBuiltinRoles } from './store.ts';
export { bindRoleRoutes } from './routes.ts';
