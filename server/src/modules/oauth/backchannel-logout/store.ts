import type { OAuthClientId } from '@keywright/contract/ids';
import type { LogoutDeliveryState } from '@keywright/contract/records/logout-delivery';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

export interface LogoutDeliveryFilter {
  readonly clientId: OAuthClientId;
  readonly status: LogoutDeliveryState | undefined;
}

function deliveries(tx: TenantTx, { clientId, status }: LogoutDeliveryFilter) {
  const query = tx.db
    .selectFrom('logout_deliveries')
    .where('tenant_id', '=', tx.tenantId)
    .where('queue_key', '=', clientId);
  if (status === undefined) return query;
  return query.where('status', '=', status === 'delivered' ? 'done' : status);
}

/** A page, plus one row if there are more. */
export function findLogoutDeliveries(tx: TenantTx, filter: LogoutDeliveryFilter, page: Page) {
  return pageOf(deliveries(tx, filter).selectAll(), page).execute();
}

export type LogoutDeliveryRow = Awaited<ReturnType<typeof findLogoutDeliveries>>[number];

export function countLogoutDeliveries(tx: TenantTx, filter: LogoutDeliveryFilter): Promise<number> {
  return countSome(tx, deliveries(tx, filter).select('id'));
}
