import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { capturedDomains, captorOf } from './capture.ts';

/** The only providers at which a user may log in, by their e-mail addresses; empty: any. */
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

/** Whether a user may log in at a provider only. Nothing is looked up where no domain is captured. */
export async function isCaptured(
  data: TenantData,
  tenant: Pick<Tenant, 'providers'>,
  userId: UserId,
): Promise<boolean> {
  if (capturedDomains(tenant).length === 0) return false;
  const captors = await data.transaction((tx) => findCaptorsOf(tx, tenant, userId));
  return captors.length > 0;
}
