import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { systemClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { observed } from '../../../platform/db/observed.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { createLog } from '../../../platform/log.ts';
import { type AuditKeys, auditKeyOf } from '../../../tenancy/audit-keys.ts';
import { createGate } from '../../../tenancy/gate.ts';
import { createNotes, type Notes } from './notes.ts';

const ACME = 'org_acme' as TenantId;
const OTHER = 'org_other' as TenantId;
const ENTRIES = 150;
/** Statements of a hundred entries, for both tenants together. */
const STATEMENTS = 3;

let database: TestDatabase;
let service: Database;
let notes: Notes;
let statements = 0;
/** Called before each statement that writes entries. */
let beforeEachStatement: (count: number) => void;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  for (const tenant of [ACME, OTHER]) {
    await database.query(
      'INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, $1, now())',
      [tenant],
    );
  }
  const key = auditKeyOf(randomBytes(32));
  const keys: AuditKeys = { known: () => key, find: async () => key, open: () => key };
  const watched = observed(service, (name) => {
    if (name === 'kw_note') beforeEachStatement((statements += 1));
    return () => undefined;
  });
  const log = createLog('silent', { write: () => true });
  notes = createNotes({
    gate: createGate(watched, systemClock, undefined, keys),
    clock: systemClock,
    log,
    activity: { count: () => undefined },
  });
});

beforeEach(async () => {
  statements = 0;
  beforeEachStatement = () => undefined;
  await database.query('DELETE FROM audit_unsealed');
  await database.query('DELETE FROM audit_entries');
});

after(async () => {
  await notes.stop();
  await service.close();
  await database.drop();
});

function noteAll(): void {
  for (let index = 0; index < ENTRIES; index += 1) {
    for (const tenant of [ACME, OTHER]) {
      notes.note(
        tenant,
        { kind: 'system', name: 'tests' },
        {
          action: 'auth.token_issued',
          target: { kind: 'agent', id: `service:${index}` },
          details: {},
        },
      );
    }
  }
}

async function written(): Promise<readonly string[]> {
  const rows = await database.query<{ entry: string }>(
    `SELECT tenant_id || ' ' || target_id AS entry FROM audit_entries`,
  );
  return rows.map(({ entry }) => entry).toSorted();
}

const EACH_ONCE = [ACME, OTHER]
  .flatMap((tenant) => Array.from({ length: ENTRIES }, (_, index) => `${tenant} service:${index}`))
  .toSorted();

test('many entries are written by several statements of limited size, each entry once', async () => {
  noteAll();
  await notes.flush();
  assert.equal(statements, STATEMENTS);
  assert.deepEqual(await written(), EACH_ONCE);
});

test('if the database becomes unavailable midway, unwritten entries are kept', async () => {
  beforeEachStatement = (count) => {
    if (count === 2) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  };
  noteAll();
  await notes.flush();
  assert.equal((await written()).length, 100);
  await notes.flush();
  assert.deepEqual(await written(), EACH_ONCE);
});
