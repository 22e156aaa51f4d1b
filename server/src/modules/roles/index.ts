export { ADMIN, MEMBER, SYSTEM_ADMIN } from './builtin.ts';
export {
  holdRoles,
  isLastSystemAdministrator,
  mayActOnUser,
  mayGrantRoles,
  scopesNotHeld,
} from './service.ts';
export { insertBuiltinRoles } from './store.ts';
export { bindRoleRoutes } from './routes.ts';
