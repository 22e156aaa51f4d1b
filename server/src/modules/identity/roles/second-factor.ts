import type { UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { findRolesNamed, findScopesAndRole, lockRoles } from './store.ts';

/**
 * Whether a tenant requires a second factor of a user. Only a tenant with `require_mfa_role` costs a statement.
 * @param userId undefined: of a new user, who has no scopes
 * @param gains the roles that the login assigns
 */
export async function requiresSecondFactor(
  tenant: TenantData,
  { require_mfa: ofAll, require_mfa_role: role }: TenantConfig,
  userId: UserId | undefined,
  gains: readonly string[] = [],
): Promise<boolean> {
  if (ofAll || role === null) return ofAll;
  const { held, required } = await findScopesAndRole(tenant, userId, role);
  if (required === null) return true;
  const gained =
    gains.length > 0 ? await tenant.transaction((tx) => findRolesNamed(tx, gains)) : [];
  const scopes = [...held, ...gained.flatMap((one) => one.scopes)];
  return missingScopes(scopes, required).length === 0;
}

/** @returns whether the role exists; it is not deleted before the commit */
export async function lockRole(tx: TenantTx, name: string): Promise<boolean> {
  return (await lockRoles(tx, [name])).length > 0;
}
