export { findRole } from './role-store.ts';
export { ADMIN, type BuiltinRole, builtinRolesOf, MEMBER, SYSTEM_ADMIN } from './role-rules.ts';
export {
  findHoldings,
  isAdministrator,
  requireAdministratorLeft,
  requireAsMuch,
  requireAsMuchAsAnyone,
  requireForText,
  requireHeld,
  requireMayActOnUser,
  requireMayChangeLogins,
  requireMayGrant,
  requireRoles,
  requiresSecondFactor,
  scopesNotHeld,
} from './permission-checks.ts';
export { type Grantor, refusalOfGrant } from './deferred-grants.ts';
