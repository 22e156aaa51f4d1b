import {
  type AuditAction,
  type Outcome,
  type ActorKind,
  type TargetKind,
  SYSTEM_ACTIONS,
} from '@keywright/contract/audit';
import { inCanonicalOrder } from '@keywright/contract/canonical-json';
import type { TenantId, AuditEntryId, UserId } from '@keywright/contract/ids';
import type { AuditEntry, AuditDetails } from '@keywright/contract/records/audit-entry';
import { sql, type RawBuilder } from 'kysely';
import { note } from '../../../../sql/events/kw_note.ts';
import { record } from '../../../../sql/events/kw_record.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { countUpToLimit, type Page, COUNT_UP_TO } from '../../../platform/db/page.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import { from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';

/** The arguments of kw_record after the tenant, as JSON. */
export interface SerializedChanges {
  readonly entries: string;
  readonly events: string;
}

export async function insertRecord(tx: TenantTx, changes: SerializedChanges): Promise<void> {
  const [row] = await callAs(tx, record, changes);
  const queued = row?.answer;
  if (queued) tx.publish(deliveriesQueued, { tenantId: tx.tenantId, queued });
}

/** @param serialized the entries of each tenant. Those of a deleted tenant are dropped */
export async function insertNotes(
  gate: Gate,
  serialized: ReadonlyMap<TenantId, string>,
): Promise<void> {
  if (serialized.size === 0) return;
  const items = Array.from(serialized, ([tenant, list]) => ({ tenant, entries: list }));
  await gate.callEach(note, items);
}

/** Deliveries that a statement has queued for this node to send. */
interface QueuedDeliveries {
  readonly tenantId: TenantId;
  /** The deliveries, each as JSON from the database. */
  readonly queued: readonly string[];
}

export const deliveriesQueued = topic<QueuedDeliveries>('deliveries queued');

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
  /** Bounds of the IDs: the lower inclusive, the upper exclusive. */
  readonly fromId?: string;
  readonly toId?: string;
  /** Prefix of the actions to exclude. */
  readonly without?: string;
}

function entries(tx: TenantTx) {
  return from(tx, 'audit_entries as e');
}

export type EntryRow = Awaited<ReturnType<typeof selectEntry>>;

function selectEntry(tx: TenantTx) {
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

/** One page, newest first, plus one row if there are more. IDs sort by time. */
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
  return countUpToLimit(tx, filtered(tx, filter).select('e.id'));
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
  return from(tx, 'audit_checkpoints');
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
  return countUpToLimit(tx, checkpoints(tx).select('position'));
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

/** The hash is optional, because it is computed from the rest. */
type Place = Pick<PlaceInChain, 'position' | 'previous_hash'> & Partial<PlaceInChain>;

/** An entry as shown, exported and hashed, in the order of canonical JSON. */
export function presentEntry(row: EntryRow, place: Place | undefined): AuditEntry {
  return {
    action: row.action,
    actor: {
      credential: row.credential,
      id: row.actor_id,
      kind: row.actor_kind,
      on_behalf_of: row.on_behalf_of,
    },
    address: row.address,
    count: row.count,
    created_at: row.created_at.toISOString(),
    details: inCanonicalOrder(row.details),
    hash: place?.hash?.toString('base64url') ?? null,
    id: row.id,
    ...(row.mac ? { mac: row.mac.toString('base64url') } : {}),
    outcome: row.outcome,
    position: place?.position ?? null,
    previous_hash: place?.previous_hash?.toString('base64url') ?? null,
    request_id: row.request_id,
    target: { id: row.target_id, kind: row.target_kind },
    tenant_id: row.tenant_id,
  };
}

/** A past change, with the fields that show its effect. */
export interface HistoryEntry {
  readonly id: string;
  readonly created_at: Date;
  readonly action: AuditAction;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly target_kind: TargetKind;
  readonly target_id: string | null;
  readonly details: AuditDetails;
}

export interface Target {
  readonly kind: TargetKind;
  readonly id: string;
}

/** The number of entries inspected per target; older ones are not found. */
const LOOKED_AT = 10_000;

/** The history of any of these targets, newest first. */
export async function findHistory(
  tx: TenantTx,
  targets: readonly Target[],
  actions: readonly AuditAction[],
): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    SELECT e.* FROM unnest(
        ${targets.map((target) => target.kind)}::text[], ${targets.map((target) => target.id)}::text[]
      ) AS t (kind, id)
      CROSS JOIN LATERAL (
        SELECT a.id, a.created_at, a.action, a.actor_kind, a.actor_id, a.on_behalf_of,
               a.target_kind, a.target_id, a.outcome, a.details
          FROM audit_entries a
         WHERE a.tenant_id = ${tx.tenantId} AND a.target_id = t.id
         ORDER BY a.id DESC LIMIT ${LOOKED_AT}
      ) AS e
     WHERE e.target_kind = t.kind AND e.action = ANY (${[...actions]}::text[])
       AND e.outcome = 'success'
     ORDER BY e.id DESC`.execute(tx.db);
  return rows;
}

/** An entry without details, credentials and requests, which may contain data of others. */
export interface UserEntryRow {
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

/** The columns that can name a user. Each has an index in the order of the IDs. */
const NAMED_IN = ['actor_id', 'on_behalf_of', 'target_id'] as const;

/** The IDs of the newest entries that name a user. An entry that names the user twice is listed once. */
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
export async function findUserEntries(
  tx: TenantTx,
  userId: UserId,
  { after, offset, limit }: Page,
): Promise<UserEntryRow[]> {
  const ids = idsOf(tx, userId, after?.id, offset + limit + 1);
  const { rows } = await sql<UserEntryRow>`
    SELECT e.id, e.created_at, e.actor_kind, e.actor_id, e.action, e.target_kind, e.target_id, e.outcome,
           e.address, e.count
      FROM audit_entries e
     WHERE e.tenant_id = ${tx.tenantId} AND e.id IN (${ids})
     ORDER BY e.id DESC LIMIT ${limit + 1} OFFSET ${offset}`.execute(tx.db);
  return rows;
}

/** Counted up to COUNT_UP_TO. */
export async function countUserEntries(tx: TenantTx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n
      FROM (SELECT * FROM (${idsOf(tx, userId, undefined, COUNT_UP_TO)}) AS found LIMIT ${COUNT_UP_TO}) AS counted`.execute(
    tx.db,
  );
  return rows[0]?.n ?? 0;
}
