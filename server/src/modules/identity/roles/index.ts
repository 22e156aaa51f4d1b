export { rolesModule } from './module.ts';
export { findRole } from './administration-store.ts';
export { ADMIN, MEMBER, SYSTEM_ADMIN, builtinRolesOf, type BuiltinRole } from './builtin.ts';
export { requireAsMuchAsAnyone, requireForText, requireMayChangeLogins } from './logins.ts';
export { type Grantor, refusalOfGrant } from './grantor.ts';
export {
  findHoldings,
  holdRoles,
  isAdministrator,
  requireAdministratorLeft,
  requireAsMuch,
  requireHeld,
  requireMayActOnUser,
  requireMayGrant,
  refuseUnknownRoles,
  type RoleChange,
  roleChange,
  scopesNotHeld,
} from './service.ts';
export { type Role, scopeChange } from './rules.ts';
export { lockRole, requiresSecondFactor } from './second-factor.ts';
export { carryScopes, findUsableRolesOf, holdsScopes, userExists } from './store.ts';
