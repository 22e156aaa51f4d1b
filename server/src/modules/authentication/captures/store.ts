import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { capturedDomains, captorOf } from './rules.ts';

/** The providers of which one must vouch for a user, by the domains of their email addresses; empty: any login method. */
export async function findCaptorsOf(
  tx: TenantTx,
  tenant: Pick<Tenant, 'providers'>,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  const rows = await tx.db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .execute();
  return rows.flatMap(({ identifier }) => captorOf(tenant, identifier) ?? []);
}

/** The same outside a transaction. A tenant without captured domains costs no statement. */
export async function findCaptors(
  data: TenantData,
  tenant: Pick<Tenant, 'providers'>,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  return data.transaction((tx) => findCaptorsOf(tx, tenant, userId));
}
