import { SYSTEM_ACTIONS } from '@keywright/contract/audit';
import type { AuditEntryId, UserId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Without details, credentials and requests, which may say something of others. */
export interface OwnEntryRow {
  readonly id: AuditEntryId;
  readonly created_at: Date;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly address: string | null;
  readonly count: number;
}

/** In what an entry can name a user. Each has an index in the order of the ids. */
const NAMED_IN = ['actor_id', 'on_behalf_of', 'target_id'] as const;

/** The ids of the newest entries that name a user. One that names them twice is listed once. */
function idsOf(
  tx: TenantTx,
  userId: UserId,
  before: string | undefined,
  most: number,
): RawBuilder<unknown> {
  const bound = before === undefined ? sql`` : sql`AND x.id < ${before}`;
  const parts = NAMED_IN.map(
    (column) => sql`(
      SELECT x.id FROM audit_entries x
       WHERE x.tenant_id = ${tx.tenantId} AND x.${sql.id(column)} = ${userId}
         AND NOT starts_with(x.action, ${SYSTEM_ACTIONS}) ${bound}
       ORDER BY x.id DESC LIMIT ${most})`,
  );
  return sql.join(parts, sql` UNION `);
}

/** One page, newest first, plus one row if there are more. */
export async function findOwnEntries(
  tx: TenantTx,
  userId: UserId,
  { after, offset, limit }: Page,
): Promise<OwnEntryRow[]> {
  const ids = idsOf(tx, userId, after?.id, offset + limit + 1);
  const { rows } = await sql<OwnEntryRow>`
    SELECT e.id, e.created_at, e.actor_kind, e.actor_id, e.action, e.target_kind, e.target_id, e.outcome,
           e.address, e.count
      FROM audit_entries e
     WHERE e.tenant_id = ${tx.tenantId} AND e.id IN (${ids})
     ORDER BY e.id DESC LIMIT ${limit + 1} OFFSET ${offset}`.execute(tx.db);
  return rows;
}

/** Counted up to COUNT_UP_TO. */
export async function countOwnEntries(tx: TenantTx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n
      FROM (SELECT * FROM (${idsOf(tx, userId, undefined, COUNT_UP_TO)}) AS found LIMIT ${COUNT_UP_TO}) AS counted`.execute(
    tx.db,
  );
  return rows[0]?.n ?? 0;
}
