export { findRole } from './administration-store.ts';
export { ADMIN, type BuiltinRole, builtinRolesOf, MEMBER, SYSTEM_ADMIN } from './builtin.ts';
export { requireAsMuchAsAnyone, requireForText, requireMayChangeLogins } from './logins.ts';
export { type Grantor, refusalOfGrant } from './grantor.ts';
export {
  findHoldings,
  holdRoles,
  isAdministrator,
  refuseUnknownRoles,
  requireAdministratorLeft,
  requireAsMuch,
  requireHeld,
  requireMayActOnUser,
  requireMayGrant,
  roleChange,
  type RoleChange,
  scopesNotHeld,
} from './service.ts';
export { type Role, scopeChange } from './rules.ts';
export { lockRole, requiresSecondFactor } from './second-factor.ts';
export { carryScopes, findUsableRolesOf, holdsScopes, userExists } from './store.ts';
