export { ADMIN, type BuiltinRole, builtinRolesOf, MEMBER, SYSTEM_ADMIN } from './role-rules.ts';
export {
  type Grantor,
  findHoldings,
  isAdministrator,
  refusalOfGrant,
  requireAdministratorLeft,
  requireAsMuch,
  requireAsMuchAsAnyone,
  requireForText,
  requireHeld,
  requireMayActOnUser,
  requireMayChangeLogins,
  requireMayGrant,
  requireRoles,
  scopesNotHeld,
} from './permission-checks.ts';
