import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { inDeadlock } from '@keywright/tests/harness/deadlock';
import pg from 'pg';
import { systemClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { observed } from '../../../platform/db/observed.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { openLog } from '../../../platform/log.ts';
import { type AuditKeys, auditKeyOf } from '../../../tenancy/audit-keys.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { Notes } from './audit-notes.ts';

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
  const watched = observed(service, (name) => {
    if (name === 'kw_note') beforeEachStatement((statements += 1));
    return () => undefined;
  });
  notes = notesOf(watched);
});

const key = auditKeyOf(randomBytes(32));
const keys: AuditKeys = { cached: () => key, find: async () => key, open: () => key };
/** Messages, with the number of entries that they report as lost. */
const logged: string[] = [];

function notesOf(of: Database, auditKeys = keys): Notes {
  const write = (line: string) => {
    const { msg, lost } = JSON.parse(line) as { msg: string; lost?: number };
    logged.push(lost === undefined ? msg : `${msg} ${lost}`);
    return true;
  };
  const gate = new Gate(of, systemClock, undefined, auditKeys);
  const activity = { count: () => undefined };
  return new Notes(gate, systemClock, openLog('info', { write }), activity);
}

beforeEach(async () => {
  statements = 0;
  logged.length = 0;
  beforeEachStatement = () => undefined;
  await database.query('DELETE FROM audit_unsealed');
  await database.query('DELETE FROM audit_entries');
});

after(async () => {
  await notes.stop();
  await service.close();
  await database.drop();
});

function noteAll(into = notes, count = ENTRIES): void {
  for (let index = 0; index < count; index += 1) {
    for (const tenant of [ACME, OTHER]) {
      into.note(
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

test('Many audit entries are written by several statements of limited size, each entry once', async () => {
  noteAll();
  await notes.flush();
  assert.equal(statements, STATEMENTS);
  assert.deepEqual(await written(), EACH_ONCE);
});

test('The unwritten audit entries are retained if the database becomes unavailable midway', async () => {
  beforeEachStatement = (count) => {
    if (count === 2) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  };
  noteAll();
  await notes.flush();
  assert.equal((await written()).length, 100);
  await notes.flush();
  assert.deepEqual(await written(), EACH_ONCE);
});

test('The entries of a tenant whose key cannot be opened do not cost other tenants theirs', async () => {
  const find = async (tenant: TenantId) => {
    if (tenant === ACME) throw new Error('the data key is damaged');
    return key;
  };
  const buffered = notesOf(service, { ...keys, find });
  noteAll(buffered, 10);
  await buffered.flush();
  assert.deepEqual(
    await written(),
    EACH_ONCE.filter((entry) => /^org_other service:\d$/.test(entry)),
  );
  assert.deepEqual(logged, ['audit entries were rejected and are lost 10']);
});

test('A lock delays only the audit entries that it blocks, which are written after its release', async () => {
  const impatient = openPostgres(`${database.url}?options=-c%20lock_timeout%3D100`, () => {});
  const buffered = notesOf(impatient);
  const locker = new pg.Client(database.superuserUrl);
  await locker.connect();
  try {
    await locker.query('BEGIN; LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
    noteAll(buffered);
    await buffered.flush();
    await buffered.flush();
    await locker.query('ROLLBACK');
    await buffered.flush();
    assert.deepEqual(await written(), EACH_ONCE);
    assert.deepEqual(logged, [
      'audit entries cannot be written and are buffered',
      'audit entries can be written again',
    ]);
  } finally {
    await buffered.stop();
    await locker.end();
    await impatient.close();
  }
});

test('The audit entries of a write in a deadlock are written after the other transaction', async () => {
  const fresh = openPostgres(database.url, () => {});
  let writes = 0;
  const watched = observed(fresh, (name) => {
    if (name === 'kw_note') writes += 1;
    return () => undefined;
  });
  const buffered = notesOf(watched);
  const lock = (id: TenantId) => `SELECT FROM tenants WHERE tenant_id = '${id}' FOR UPDATE`;
  await inDeadlock(database, { first: lock(ACME), second: lock(OTHER) }, () => {
    noteAll(buffered, 1);
    return buffered.flush();
  });
  assert.deepEqual(await written(), [`${ACME} service:0`, `${OTHER} service:0`]);
  assert.equal(writes, 2);
  await fresh.close();
});

test('A process that stops while the database accepts no audit entries logs how many are lost', async () => {
  const locker = new pg.Client(database.superuserUrl);
  await locker.connect();
  const impatient = openPostgres(`${database.url}?options=-c%20lock_timeout%3D100`, () => {});
  const stopping = notesOf(impatient);
  await locker.query('BEGIN; LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  noteAll(stopping);
  await stopping.stop();
  await locker.end();
  assert.deepEqual(await written(), []);
  assert.match(logged.at(-1) ?? '', /^audit entries were lost: .* 300$/);
  await impatient.close();
});

test('The audit entries are buffered while the service lacks a privilege', async () => {
  await database.query('REVOKE INSERT ON audit_entries FROM keywright_tenant');
  noteAll(notes);
  await notes.flush();
  assert.deepEqual(await written(), []);
  await database.query('GRANT INSERT ON audit_entries TO keywright_tenant');
  await notes.flush();
  assert.deepEqual(await written(), EACH_ONCE);
});
