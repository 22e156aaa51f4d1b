import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { COUNT_UP_TO, type Page } from '../../platform/db/page.ts';
import type { TenantTx } from '../../tenancy/gate.ts';

function sessionsOf(tx: TenantTx, userId: UserId | undefined) {
  const query = tx.db.selectFrom('sessions').where('tenant_id', '=', tx.tenantId);
  return userId === undefined ? query : query.where('user_id', '=', userId);
}

/** One page, and one row more if there is one. */
export function findSessions(tx: TenantTx, page: Page, userId: UserId | undefined) {
  const direction = page.descending ? 'desc' : 'asc';
  let query = sessionsOf(tx, userId).select([
    'id',
    'tenant_id',
    'user_id',
    'workspace_id',
    'user_agent',
    'ip_address',
    'created_at',
    'expires_at',
    'is_active',
  ]);
  if (page.after) {
    const beyond = page.descending ? sql`<` : sql`>`;
    query = query.where(
      sql<boolean>`(created_at, id) ${beyond} (${page.after.value}, ${page.after.id})`,
    );
  }
  return query
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export async function countSessions(tx: TenantTx, userId: UserId | undefined): Promise<number> {
  const some = sessionsOf(tx, userId).select('id').limit(COUNT_UP_TO);
  const row = await tx.db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}
