import type { UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TenantData } from '../../../tenancy/gate.ts';
import { findVerification, type Verification } from './verification-store.ts';

/**
 * The user, if the tenant requires a verified identifier and they have none. Only a tenant with
 * `require_verified_identifier` costs a statement.
 */
export async function findUnverified(
  tenant: TenantData,
  { require_verified_identifier: requires }: Pick<TenantConfig, 'require_verified_identifier'>,
  userId: UserId,
): Promise<Pick<Verification, 'address'> | undefined> {
  if (!requires) return undefined;
  const { hasVerified, address } = await tenant.transaction((tx) => findVerification(tx, userId));
  return hasVerified ? undefined : { address };
}
