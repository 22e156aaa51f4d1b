export { ADMIN, MEMBER, SYSTEM_ADMIN, builtinRolesOf, type BuiltinRole } from './builtin.ts';
export {
  holdRoles,
  isLastSystemAdministrator,
  requireMayActOnUser,
  requireMayGrant,
  refuseUnknownRoles,
  type RoleChange,
  roleChange,
  scopesNotHeld,
} from './service.ts';
export { lastAdministrator, scopeChange } from './rules.ts';
export { userExists } from './store.ts';
export { bindRoleRoutes } from './routes.ts';
