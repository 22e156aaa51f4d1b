import type { OAuthClientId, SessionId } from '@keywright/contract/ids';
import type { LogoutDeliveryState } from '@keywright/contract/records/logout-delivery';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The browser session that the session of an application was opened in. */
export async function findLoginOf(tx: TenantTx, id: SessionId): Promise<SessionId | undefined> {
  const row = await tx.db
    .selectFrom('sessions')
    .select(({ fn }) => fn.coalesce('parent_id', 'login_id').as('login_id'))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('kind', '=', 'client')
    .executeTakeFirst();
  return row?.login_id ?? undefined;
}

/** The applications that are told when this browser session ends: their living sessions were opened in it. */
export async function findToTell(tx: TenantTx, login: SessionId): Promise<OAuthClientId[]> {
  const rows = await tx.db
    .selectFrom('sessions as s')
    .innerJoin('oauth_clients as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.client_id'),
    )
    .select('c.id')
    .distinct()
    .where('s.tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`(s.parent_id = ${login} OR s.login_id = ${login})`)
    .where('s.is_active', '=', true)
    .where('c.backchannel_logout_uri', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** What became of telling an application that its login has ended, over all its sessions. */
interface ToldApplication {
  readonly name: string;
  /** `unknown`: it has no address, or had none by then. */
  readonly outcome: 'told' | 'waiting' | 'failed' | 'unknown';
}

const MOST_SHOWN = 100;

/** The applications that an ended login was used in. */
export function findTold(tx: TenantTx, login: SessionId): Promise<ToldApplication[]> {
  return (
    tx.db
      .selectFrom('sessions as s')
      .innerJoin('oauth_clients as c', (join) =>
        join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.client_id'),
      )
      .leftJoin('logout_deliveries as d', (join) =>
        join.onRef('d.tenant_id', '=', 's.tenant_id').onRef('d.id', '=', 's.id'),
      )
      .select([
        'c.name',
        sql<
          ToldApplication['outcome']
        >`CASE WHEN bool_or(d.status IN ('failed', 'expired')) THEN 'failed'
        WHEN bool_or(d.status = 'pending') THEN 'waiting'
        WHEN bool_or(d.status = 'done') THEN 'told' ELSE 'unknown' END`.as('outcome'),
      ])
      .where('s.tenant_id', '=', tx.tenantId)
      .where(sql<boolean>`(s.parent_id = ${login} OR s.login_id = ${login})`)
      // Those that outlive the login, and those that ended with it.
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
