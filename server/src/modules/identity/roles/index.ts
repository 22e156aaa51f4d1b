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
  requireHoldings,
  requireMayActOnUser,
  requireMayChangeLogins,
  requireMayGrant,
  requireRoles,
  findMissingScopes,
} from './permission-checks.ts';
