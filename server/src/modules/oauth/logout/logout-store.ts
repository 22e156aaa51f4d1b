import type { OAuthClientId, SessionId } from '@keywright/contract/ids';
import type {
  LogoutDeliveryRecord,
  LogoutDeliveryState,
} from '@keywright/contract/records/logout-delivery';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { from, type TenantTx } from '../../../tenancy/gate.ts';

/** Returns the browser session of a client's session. */
export async function findLoginOf(tx: TenantTx, id: SessionId): Promise<SessionId | undefined> {
  const row = await from(tx, 'sessions')
    .select('login_id')
    .where('id', '=', id)
    .where('kind', '=', 'client')
    .executeTakeFirst();
  return row?.login_id ?? undefined;
}

/** Returns the clients to notify when this browser session ends: those with active sessions that were opened in it. */
export async function findClientsToNotify(
  tx: TenantTx,
  login: SessionId,
): Promise<OAuthClientId[]> {
  const rows = await from(tx, 'sessions as s')
    .innerJoin('oauth_clients as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.client_id'),
    )
    .select('c.id')
    .distinct()
    .where('s.login_id', '=', login)
    .where('s.is_active', '=', true)
    .where('c.backchannel_logout_uri', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The result of notifying a client of the end of a login, across all its sessions. */
interface LogoutNotification {
  readonly name: string;
  /** `unknown`: the client has no address, or had none when the login ended. */
  readonly outcome: 'notified' | 'waiting' | 'failed' | 'unknown';
}

const MOST_SHOWN = 100;

/** Returns the clients that were used in an ended login, and whether they were notified. */
export function findNotifications(tx: TenantTx, login: SessionId): Promise<LogoutNotification[]> {
  return (
    from(tx, 'sessions as s')
      .innerJoin('oauth_clients as c', (join) =>
        join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.client_id'),
      )
      .leftJoin('logout_deliveries as d', (join) =>
        join.onRef('d.tenant_id', '=', 's.tenant_id').onRef('d.id', '=', 's.id'),
      )
      .select([
        'c.name',
        sql<
          LogoutNotification['outcome']
        >`CASE WHEN bool_or(d.status IN ('failed', 'expired')) THEN 'failed'
        WHEN bool_or(d.status = 'pending') THEN 'waiting'
        WHEN bool_or(d.status = 'done') THEN 'notified' ELSE 'unknown' END`.as('outcome'),
      ])
      .where('s.login_id', '=', login)
      // Includes the sessions that outlive the login and those that ended with it.
      .where(sql<boolean>`(s.is_active OR s.end_reason = 'logout')`)
      .groupBy(['c.id', 'c.name'])
      .orderBy('c.name')
      .orderBy('c.id')
      .limit(MOST_SHOWN)
      .execute()
  );
}

interface LogoutDeliveryFilter {
  readonly clientId: OAuthClientId;
  readonly status: LogoutDeliveryState | undefined;
}

function deliveries(tx: TenantTx, { clientId, status }: LogoutDeliveryFilter) {
  const query = from(tx, 'logout_deliveries').where('queue_key', '=', clientId);
  if (status === undefined) return query;
  return query.where('status', '=', status === 'delivered' ? 'done' : status);
}

/** A page, plus one row if there are more. */
export function findLogoutDeliveries(tx: TenantTx, filter: LogoutDeliveryFilter, page: Page) {
  return pageOf(deliveries(tx, filter).selectAll(), page).execute();
}

type LogoutDeliveryRow = Awaited<ReturnType<typeof findLogoutDeliveries>>[number];

export function countLogoutDeliveries(tx: TenantTx, filter: LogoutDeliveryFilter): Promise<number> {
  return countUpToLimit(tx, deliveries(tx, filter).select('id'));
}

export function presentDelivery(row: LogoutDeliveryRow): LogoutDeliveryRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    client_id: row.queue_key,
    user_id: row.user_id,
    status: row.status === 'done' ? 'delivered' : row.status,
    attempts: row.attempts,
    reason: row.reason,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
