import type { UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { findScopesAndRole, lockRoles } from './store.ts';

/**
 * Whether a tenant requires a second factor of a user. Only a tenant with `require_mfa_role` costs a statement.
 * @param userId undefined: of a new user, who has no scopes
 */
export async function requiresSecondFactor(
  tenant: TenantData,
  { require_mfa: ofAll, require_mfa_role: role }: TenantConfig,
  userId: UserId | undefined,
): Promise<boolean> {
  if (ofAll || role === null) return ofAll;
  const { held, required } = await findScopesAndRole(tenant, userId, role);
  return required === null || missingScopes(held, required).length === 0;
}

/** @returns whether the role exists; it is not deleted before the commit */
export async function lockRole(tx: TenantTx, name: string): Promise<boolean> {
  return (await lockRoles(tx, [name])).length > 0;
}
