import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { SYSTEM_ACTIONS } from '@keywright/contract/audit';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId, type UserId } from '@keywright/contract/ids';
import { type AuditCheckpoint, AuditEntry } from '@keywright/contract/records/audit-entry';
import type { OwnLogEntry } from '@keywright/contract/records/own-log-entry';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { listAudit, listCheckpoints } from '@keywright/contract/routes/audit';
import type { getNames } from '@keywright/contract/routes/names';
import { Compile } from '../../../platform/compile.ts';
import { firstAuditEntryId } from '../../../platform/crypto/ids.ts';
import { listed, readPage, type PageQuery } from '../../../platform/db/page.ts';
import { lazy } from '../../../platform/lazy.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Sealing } from './audit-sealing.ts';
import {
  countCheckpoints,
  countEntries,
  type EntryFilter,
  findCheckpoints,
  findEntries,
  placeOf,
  presentEntry,
  countUserEntries,
  findUserEntries,
  type UserEntryRow,
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
import { findNames } from './names-store.ts';

type Query = QueryOf<typeof listAudit>;

/** The number of entries of an export that are in memory at a time. */
const EXPORT_BATCH = 500;
/** The number of entries of a verification that are in memory at a time. */
const VERIFICATION_BATCH = 1000;
const POSITION = /^\d{1,15}$/;

/** Reads the audit log of a tenant. */
export class AuditLog {
  readonly #gate: Gate;
  readonly #sealing: Sealing;

  constructor(gate: Gate, sealing: Sealing) {
    this.#gate = gate;
    this.#sealing = sealing;
  }

  /** A page of the audit log, newest first. */
  async list(tenantId: TenantId, caller: Caller, query: Query, fail: Fail<'VALIDATION_FAILED'>) {
    const page = readPage([tenantId, 'audit'], query, '-id', fail);
    const filter = filterOf(tenantId, caller, query, fail);
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) =>
          [await findEntries(tx, page, filter), await countEntries(tx, filter)] as const,
      );
    return listed(
      page,
      rows,
      total,
      (row) => row.id,
      (row) => presentEntry(row, placeOf(row)),
    );
  }

  /**
   * Exports the sealed entries as JSON lines in the order of the chain, with everything that is committed now. If no
   * entry is excluded, the last line is the signed head.
   */
  async export(
    tenantId: TenantId,
    caller: Caller,
    query: Query,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<AsyncGenerator<string>> {
    const filter = filterOf(tenantId, caller, query, fail);
    await this.#sealing.seal(tenantId);
    const isWhole = Object.keys(filter).length === 0;
    return exportLines(this.#gate.into(tenantId), filter, isWhole);
  }

  /** A page of the entries that name a user, newest first. */
  async listOfUser(
    tenantId: TenantId,
    userId: UserId,
    query: PageQuery,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const page = readPage([tenantId, 'own log', userId], query, '-id', fail);
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) =>
          [await findUserEntries(tx, userId, page), await countUserEntries(tx, userId)] as const,
      );
    return listed(
      page,
      rows,
      total,
      (row) => row.id,
      (row) => presentUserEntry(tenantId, row, userId),
    );
  }

  /** The names of records, as far as the caller can read them. */
  async getNames(
    tenantId: TenantId,
    { scopes }: Caller,
    { ids }: QueryOf<typeof getNames>,
  ): Promise<OkOf<typeof getNames>> {
    const items = await this.#gate
      .into(tenantId)
      .transaction((tx) => findNames(tx, ids.split(','), scopes));
    return { items };
  }

  /** A page of the signed heads of the chain, newest first. */
  async listCheckpoints(
    tenantId: TenantId,
    query: QueryOf<typeof listCheckpoints>,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const page = readPage([tenantId, 'checkpoints'], query, '-position', fail);
    // A cursor is untrusted text.
    if (page.after && !POSITION.test(page.after.id)) fail('VALIDATION_FAILED');
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) => [await findCheckpoints(tx, page), await countCheckpoints(tx)] as const,
      );
    return listed(
      page,
      rows,
      total,
      (row) => row.id,
      ({ position, token, created_at: at }): AuditCheckpoint => ({
        tenant_id: tenantId,
        position: Number(position),
        token,
        created_at: at.toISOString(),
      }),
    );
  }
}

/** Work across tenants is in the log of the default tenant, visible only to system administrators. */
function filterOf(
  tenantId: TenantId,
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

/** IDs contain the time, so a range of times is a range of IDs. */
function firstIdOf(text: string, path: string, fail: Fail<'VALIDATION_FAILED'>): string {
  return firstAuditEntryId(readMoment(text, path, fail));
}

/** Kinds of actors that are not people: their identity is not private. */
const MACHINES = ['agent', 'delegate', 'app'];

function presentUserEntry(tenantId: TenantId, row: UserEntryRow, userId: UserId): OwnLogEntry {
  const { actor_kind: kind, actor_id: actorId } = row;
  const isNamed = actorId === userId || MACHINES.includes(kind);
  // Users are allowed to know where a failed login came from.
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

/** Each batch has its own transaction, so a slow reader blocks nothing. */
async function* exportLines(
  tenant: TenantData,
  filter: EntryFilter,
  isWhole: boolean,
): AsyncGenerator<string> {
  const [end] = await tenant.transaction((tx) => findEnds(tx, [tx.tenantId]));
  if (!end) return;
  const upTo = end.position;
  for (let after = 0; ;) {
    const range = { after, upTo };
    const rows = await tenant.transaction((tx) => findSealed(tx, filter, range, EXPORT_BATCH));
    yield rows.map((row) => `${JSON.stringify(presentEntry(row, placeOf(row)))}\n`).join('');
    const last = rows.at(-1);
    if (!last || rows.length < EXPORT_BATCH) break;
    after = Number(last.position);
  }
  if (!isWhole) return;
  const checkpoint = await tenant.transaction((tx) => findCheckpointAt(tx, upTo));
  if (checkpoint !== undefined) yield `${JSON.stringify({ checkpoint })}\n`;
}

const entryForm = lazy(() => Compile(AuditEntry));

/** The records of a tenant's audit log in the database. Each batch has its own transaction. */
export async function* linesOfDatabase(tenant: TenantData): AsyncGenerator<Line> {
  let last = 0;
  for (;;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findChainRows(tx, after, VERIFICATION_BATCH));
    for (const { position, entryId, entry, place, token } of rows) {
      if (entry) yield { kind: 'entry', entry: presentEntry(entry, place) };
      else yield { kind: 'lost', position, entryId };
      if (token !== null) yield { kind: 'checkpoint', token };
      last = position;
    }
    if (rows.length < VERIFICATION_BATCH) break;
  }
  for (const token of await tenant.transaction((tx) => findLaterCheckpoints(tx, last))) {
    yield { kind: 'checkpoint', token };
  }
  yield* waitingOf(tenant);
  for (const row of await tenant.transaction((tx) => findStrays(tx, VERIFICATION_BATCH))) {
    yield { kind: 'stray', entry: presentEntry(row, undefined) };
  }
  for (const entryId of await tenant.transaction((tx) => findLostWaiting(tx, VERIFICATION_BATCH))) {
    yield { kind: 'lost', position: null, entryId };
  }
}

async function* waitingOf(tenant: TenantData): AsyncGenerator<Line> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findWaiting(tx, after, VERIFICATION_BATCH));
    for (const row of rows) yield { kind: 'waiting', entry: presentEntry(row, undefined) };
    last = rows.at(-1)?.id ?? last;
    if (rows.length < VERIFICATION_BATCH) return;
  }
}

/** The records of an export. */
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
