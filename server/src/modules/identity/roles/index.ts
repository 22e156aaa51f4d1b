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
  requireHoldings as requireHeld,
  requireMayActOnUser,
  requireMayChangeLogins,
  requireMayGrant,
  requireRoles,
  findMissingScopes as scopesNotHeld,
} from './permission-checks.ts';
