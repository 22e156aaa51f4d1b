export { carryScopes, findRole, findUsableRolesOf, holdsScopes, userExists } from './role-store.ts';
export {
  ADMIN,
  type BuiltinRole,
  builtinRolesOf,
  MEMBER,
  type Role,
  scopeChange,
  SYSTEM_ADMIN,
} from './role-rules.ts';
export {
  findHoldings,
  holdRoles,
  isAdministrator,
  lockRole,
  refuseUnknownRoles,
  requireAdministratorLeft,
  requireAsMuch,
  requireAsMuchAsAnyone,
  requireForText,
  requireHeld,
  requireMayActOnUser,
  requireMayChangeLogins,
  requireMayGrant,
  requiresSecondFactor,
  roleChange,
  type RoleChange,
  scopesNotHeld,
} from './permission-checks.ts';
export { type Grantor, refusalOfGrant } from './deferred-grants.ts';
