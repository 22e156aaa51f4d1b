import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import type {
  LogoutDeliveryRecord,
  LogoutDeliveryState,
} from '@keywright/contract/records/logout-delivery';
import type { QueryOf } from '@keywright/contract/route';
import type { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { findClientIn } from '../clients/index.ts';
import { countLogoutDeliveries, findLogoutDeliveries, type LogoutDeliveryRow } from './store.ts';

export async function listLogoutDeliveriesPage(
  tenant: TenantData,
  id: string,
  query: QueryOf<typeof listLogoutDeliveries>,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
) {
  const { sort = '-created_at', status } = query;
  const page = readPage([tenant.tenantId, 'logout deliveries', id], query, sort, fail);
  const [rows, total] = await tenant.transaction(async (tx) => {
    const client = (await findClientIn(tx, id)) ?? fail('NOT_FOUND');
    const filter = { clientId: client.id, status };
    const found = await countLogoutDeliveries(tx, filter);
    return [await findLogoutDeliveries(tx, filter, page), found] as const;
  });
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentDelivery);
}

function presentDelivery(row: LogoutDeliveryRow): LogoutDeliveryRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    client_id: row.queue_key as OAuthClientId,
    user_id: row.user_id,
    status: row.status === 'done' ? 'delivered' : (row.status as LogoutDeliveryState),
    attempts: row.attempts,
    reason: row.reason,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
