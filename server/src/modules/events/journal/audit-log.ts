import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { SYSTEM_ACTIONS } from '@keywright/contract/audit';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId, type UserId } from '@keywright/contract/ids';
import { type AuditCheckpoint, AuditEntry } from '@keywright/contract/records/audit-entry';
import type { OwnLogEntry } from '@keywright/contract/records/own-log-entry';
import type { QueryOf } from '@keywright/contract/route';
import type { listAudit, listCheckpoints } from '@keywright/contract/routes/audit';
import { Compile } from '../../../platform/compile.ts';
import { firstAuditEntryId } from '../../../platform/crypto/ids.ts';
import { listed, readPage, type PageQuery } from '../../../platform/db/page.ts';
import { lazy } from '../../../platform/lazy.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import {
  countCheckpoints,
  countEntries,
  type EntryFilter,
  findCheckpoints,
  findEntries,
  placeOf,
  presentEntry,
  countOwnEntries,
  findOwnEntries,
  type OwnEntryRow,
  findCheckpointAt,
  findSealed,
} from './audit-store.ts';
import type { Line } from './audit-verification.ts';
import {
  findEnds,
  findChainRows,
  findLaterCheckpoints,
  findLostWaiting,
  findStrays,
  findWaiting,
} from './chain-store.ts';

type Query = QueryOf<typeof listAudit>;

/** A page of the audit log, newest first. */
export async function listAuditPage(
  tenant: TenantData,
  caller: Caller,
  query: Query,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'audit'], query, '-id', fail);
  const filter = filterOf(tenant, caller, query, fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findEntries(tx, page, filter), await countEntries(tx, filter)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    (row) => presentEntry(row, placeOf(row)),
  );
}

/** Work across tenants is in the log of the default tenant, visible only to system administrators. */
export function filterOf(
  { tenantId }: TenantData,
  caller: Caller,
  query: Query,
  fail: Fail<'VALIDATION_FAILED'>,
): EntryFilter {
  const { actor, on_behalf_of, action, target, request_id, outcome, from, to } = query;
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(on_behalf_of === undefined ? {} : { on_behalf_of }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined ? {} : { fromId: firstIdOf(from, '/from', fail) }),
    ...(to === undefined ? {} : { toId: firstIdOf(to, '/to', fail) }),
    ...(tenantId === DEFAULT_TENANT && !caller.isSystemAdministrator
      ? { without: SYSTEM_ACTIONS }
      : {}),
  };
}

/** Ids contain the time, so a range of times is a range of ids. */
function firstIdOf(text: string, path: string, fail: Fail<'VALIDATION_FAILED'>): string {
  return firstAuditEntryId(readMoment(text, path, fail));
}

const POSITION = /^\d{1,15}$/;

/** Signed heads of the chain, newest first. */
export async function listCheckpointsPage(
  tenant: TenantData,
  query: QueryOf<typeof listCheckpoints>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'checkpoints'], query, '-position', fail);
  // A cursor is untrusted text.
  if (page.after && !POSITION.test(page.after.id)) fail('VALIDATION_FAILED');
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findCheckpoints(tx, page), await countCheckpoints(tx)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    ({ position, token, created_at: at }): AuditCheckpoint => ({
      tenant_id: tenant.tenantId,
      position: Number(position),
      token,
      created_at: at.toISOString(),
    }),
  );
}

/** A page of the log of a user's account, newest first. */
export async function listOwnLogPage(
  tenant: TenantData,
  userId: UserId,
  query: PageQuery,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'own log', userId], query, '-id', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await findOwnEntries(tx, userId, page), await countOwnEntries(tx, userId)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    (row) => presentOwnEntry(tenant.tenantId, row, userId),
  );
}

/** Kinds of actors that are not people: who they are, is not private. */
const MACHINES = ['agent', 'delegate', 'app'];

function presentOwnEntry(tenantId: TenantId, row: OwnEntryRow, userId: UserId): OwnLogEntry {
  const { actor_kind: kind, actor_id: actorId } = row;
  const isNamed = actorId === userId || MACHINES.includes(kind);
  // Of a login that failed the user may know whence it came.
  const isPlaced = isNamed || kind === 'anonymous';
  return {
    id: row.id,
    tenant_id: tenantId,
    created_at: row.created_at.toISOString(),
    actor: { kind: kind as OwnLogEntry['actor']['kind'], id: isNamed ? actorId : null },
    action: row.action as OwnLogEntry['action'],
    target: { kind: row.target_kind as OwnLogEntry['target']['kind'], id: row.target_id },
    outcome: row.outcome as OwnLogEntry['outcome'],
    address: isPlaced ? row.address : null,
    count: row.count,
  };
}

/** The number of entries read into memory at a time. */
const BATCH = 500;

/**
 * The sealed entries as JSON lines in the order of the chain, up to its current head. Each batch has its own
 * transaction, so a slow reader blocks nothing.
 * @param isWhole whether nothing is excluded: then the last line is the signed head
 */
export async function* exportLines(
  tenant: TenantData,
  filter: EntryFilter,
  isWhole: boolean,
): AsyncGenerator<string> {
  const [end] = await tenant.transaction((tx) => findEnds(tx, [tx.tenantId]));
  if (!end) return;
  const upTo = end.position;
  for (let after = 0; ;) {
    const range = { after, upTo };
    const rows = await tenant.transaction((tx) => findSealed(tx, filter, range, BATCH));
    yield rows.map((row) => `${JSON.stringify(presentEntry(row, placeOf(row)))}\n`).join('');
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    after = Number(last.position);
  }
  if (!isWhole) return;
  const checkpoint = await tenant.transaction((tx) => findCheckpointAt(tx, upTo));
  if (checkpoint !== undefined) yield `${JSON.stringify({ checkpoint })}\n`;
}

const LINES_AT_ONCE = 1000;

const entryForm = lazy(() => Compile(AuditEntry));

/** The audit log of a tenant in the database, one transaction per batch. */
export async function* linesOfDatabase(tenant: TenantData): AsyncGenerator<Line> {
  let last = 0;
  for (;;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findChainRows(tx, after, LINES_AT_ONCE));
    for (const { position, entryId, entry, place, token } of rows) {
      if (entry) yield { kind: 'entry', entry: presentEntry(entry, place) };
      else yield { kind: 'lost', position, entryId };
      if (token !== null) yield { kind: 'checkpoint', token };
      last = position;
    }
    if (rows.length < LINES_AT_ONCE) break;
  }
  for (const token of await tenant.transaction((tx) => findLaterCheckpoints(tx, last))) {
    yield { kind: 'checkpoint', token };
  }
  yield* waitingOf(tenant);
  for (const row of await tenant.transaction((tx) => findStrays(tx, LINES_AT_ONCE))) {
    yield { kind: 'stray', entry: presentEntry(row, undefined) };
  }
  for (const entryId of await tenant.transaction((tx) => findLostWaiting(tx, LINES_AT_ONCE))) {
    yield { kind: 'lost', position: null, entryId };
  }
}

async function* waitingOf(tenant: TenantData): AsyncGenerator<Line> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findWaiting(tx, after, LINES_AT_ONCE));
    for (const row of rows) yield { kind: 'waiting', entry: presentEntry(row, undefined) };
    last = rows.at(-1)?.id ?? last;
    if (rows.length < LINES_AT_ONCE) return;
  }
}

/** An export, line by line. */
export async function* linesOfFile(path: string): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    number += 1;
    if (text.trim() !== '') yield readLine(text) ?? { kind: 'unreadable', number };
  }
}

function readLine(text: string): Line | undefined {
  const value = parse(text);
  if (entryForm().Check(value)) return { kind: 'entry', entry: value };
  const { checkpoint } = (value ?? {}) as { readonly checkpoint?: unknown };
  return typeof checkpoint === 'string' ? { kind: 'checkpoint', token: checkpoint } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
