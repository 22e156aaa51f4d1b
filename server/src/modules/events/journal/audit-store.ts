import type { AuditAction, Outcome } from '@keywright/contract/audit';
import { sql } from 'kysely';
import { countSome, type Page } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

const COLUMNS = [
  'e.id',
  'e.tenant_id',
  'e.created_at',
  'e.actor_kind',
  'e.actor_id',
  'e.on_behalf_of',
  'e.credential',
  'e.action',
  'e.target_kind',
  'e.target_id',
  'e.outcome',
  'e.address',
  'e.request_id',
  'e.count',
  'e.details',
  'e.mac',
] as const;

/** The position of an entry in the chain. */
export interface PlaceInChain {
  readonly position: number;
  readonly previous_hash: Buffer | null;
  readonly hash: Buffer;
}

/** A filter of entries. */
export interface EntryFilter {
  readonly actor?: string;
  readonly on_behalf_of?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly request_id?: string;
  readonly outcome?: Outcome;
  /** Bounds of the ids: the lower inclusive, the upper exclusive. */
  readonly fromId?: string;
  readonly toId?: string;
  /** Prefix of the actions to exclude. */
  readonly without?: string;
}

function entries(tx: TenantTx) {
  return tx.db.selectFrom('audit_entries as e').where('e.tenant_id', '=', tx.tenantId);
}

export type EntryRow = Awaited<ReturnType<typeof oneEntry>>;

function oneEntry(tx: TenantTx) {
  return entries(tx).select(COLUMNS).executeTakeFirstOrThrow();
}

function filtered(tx: TenantTx, filter: EntryFilter) {
  let query = entries(tx);
  if (filter.actor !== undefined) query = query.where('e.actor_id', '=', filter.actor);
  if (filter.on_behalf_of !== undefined) {
    query = query.where('e.on_behalf_of', '=', filter.on_behalf_of);
  }
  if (filter.action !== undefined) query = query.where('e.action', '=', filter.action);
  if (filter.target !== undefined) query = query.where('e.target_id', '=', filter.target);
  if (filter.request_id !== undefined) query = query.where('e.request_id', '=', filter.request_id);
  if (filter.outcome !== undefined) query = query.where('e.outcome', '=', filter.outcome);
  if (filter.fromId !== undefined) query = query.where(sql<boolean>`e.id >= ${filter.fromId}`);
  if (filter.toId !== undefined) query = query.where(sql<boolean>`e.id < ${filter.toId}`);
  if (filter.without !== undefined) {
    query = query.where(sql<boolean>`NOT starts_with(e.action, ${filter.without})`);
  }
  return query;
}

function withPlace(query: ReturnType<typeof filtered>) {
  return query
    .leftJoin('audit_chain as c', (join) =>
      join.onRef('c.tenant_id', '=', 'e.tenant_id').onRef('c.entry_id', '=', 'e.id'),
    )
    .select(COLUMNS)
    .select(['c.position', 'c.previous_hash', 'c.hash']);
}

/** One page, newest first, plus one row if there are more. Ids sort by time. */
export function findEntries(tx: TenantTx, page: Page, filter: EntryFilter) {
  let query = withPlace(filtered(tx, filter));
  if (page.after) query = query.where(sql<boolean>`e.id < ${page.after.id}`);
  return query
    .orderBy('e.id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export function countEntries(tx: TenantTx, filter: EntryFilter): Promise<number> {
  return countSome(tx, filtered(tx, filter).select('e.id'));
}

/** Sealed entries in the order of the chain, after a position, up to another. */
export function findSealed(
  tx: TenantTx,
  filter: EntryFilter,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  limit: number,
) {
  return withPlace(filtered(tx, filter))
    .where('c.position', '>', String(after))
    .where('c.position', '<=', String(upTo))
    .orderBy('c.position')
    .limit(limit)
    .execute();
}

/** The columns of a row's position, if it has one. */
export function placeOf(row: {
  readonly position: string | null;
  readonly previous_hash: Buffer | null;
  readonly hash: Buffer | null;
}): PlaceInChain | undefined {
  if (row.position === null || row.hash === null) return undefined;
  return { position: Number(row.position), previous_hash: row.previous_hash, hash: row.hash };
}

function checkpoints(tx: TenantTx) {
  return tx.db.selectFrom('audit_checkpoints').where('tenant_id', '=', tx.tenantId);
}

/** One page, newest first, plus one row if there are more. */
export function findCheckpoints(tx: TenantTx, page: Page) {
  let query = checkpoints(tx).select([
    'position',
    'token',
    'created_at',
    sql<string>`position::text`.as('id'),
  ]);
  if (page.after) query = query.where('position', '<', page.after.id);
  return query
    .orderBy('position', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export function countCheckpoints(tx: TenantTx): Promise<number> {
  return countSome(tx, checkpoints(tx).select('position'));
}

/** The checkpoint of a batch that ends at that position. */
export async function findCheckpointAt(
  tx: TenantTx,
  position: number,
): Promise<string | undefined> {
  const row = await checkpoints(tx)
    .select('token')
    .where('position', '=', String(position))
    .executeTakeFirst();
  return row?.token;
}
