import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { AuditEntry } from '@keywright/contract/records/audit-entry';
import { Compile } from '../../../platform/compile.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { presentEntry } from './present.ts';
import type { Line } from './verdict.ts';
import {
  findChainRows,
  findLaterCheckpoints,
  findLostWaiting,
  findStrays,
  findWaiting,
} from './verification-store.ts';

const BATCH = 1000;

const entryForm = lazy(() => Compile(AuditEntry));

/** The audit log of a tenant in the database, one transaction per batch. */
export async function* linesOfDatabase(tenant: TenantData): AsyncGenerator<Line> {
  let last = 0;
  for (;;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findChainRows(tx, after, BATCH));
    for (const { position, entryId, entry, place, token } of rows) {
      if (entry) yield { kind: 'entry', entry: presentEntry(entry, place) };
      else yield { kind: 'lost', position, entryId };
      if (token !== null) yield { kind: 'checkpoint', token };
      last = position;
    }
    if (rows.length < BATCH) break;
  }
  for (const token of await tenant.transaction((tx) => findLaterCheckpoints(tx, last))) {
    yield { kind: 'checkpoint', token };
  }
  yield* waitingOf(tenant);
  for (const row of await tenant.transaction((tx) => findStrays(tx, BATCH))) {
    yield { kind: 'stray', entry: presentEntry(row, undefined) };
  }
  for (const entryId of await tenant.transaction((tx) => findLostWaiting(tx, BATCH))) {
    yield { kind: 'lost', position: null, entryId };
  }
}

async function* waitingOf(tenant: TenantData): AsyncGenerator<Line> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findWaiting(tx, after, BATCH));
    for (const row of rows) yield { kind: 'waiting', entry: presentEntry(row, undefined) };
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
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
