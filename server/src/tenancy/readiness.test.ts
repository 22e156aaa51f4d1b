import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDatabase } from '@keywright/tests/harness/database';
import { ENGINES } from '@keywright/tests/harness/engines';
import { parallel } from '@keywright/tests/harness/parallel';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import { observed } from '../platform/db/observed.ts';
import { openLog } from '../platform/log.ts';
import { type Findings, judge, Readiness } from './readiness.ts';

const FREE = { result: { locked: [], is_waiting: false } };
const WELL: Findings = {
  fault: undefined,
  session: { result: true },
  write: { result: true },
  locks: FREE,
};
const failed = (code: string, message = '') => ({
  error: Object.assign(new Error(message), { code }),
});
const waiting = { result: { locked: [], is_waiting: true } };
const locked = { result: { locked: ['sessions'], is_waiting: true } };
const folder = { code: 'data_folder', detail: 'It is gone.' } as const;

/** The findings that differ from WELL, whether the node is usable, and the problem. */
const VERDICTS: Readonly<Record<string, [Partial<Findings>, boolean, string | undefined]>> = {
  'everything works': [{}, true, undefined],
  'other statements briefly wait for rows': [{ locks: waiting }, true, undefined],
  'the engine reports a fault': [
    { fault: folder, session: failed('58030'), write: failed('58030') },
    false,
    'data_folder',
  ],
  'only new connections lead to a former primary': [
    { fault: { code: 'failover', detail: '' } },
    true,
    'failover',
  ],
  'the server refuses connections': [
    { write: failed('ECONNREFUSED') },
    false,
    'database_unreachable',
  ],
  'the server is a standby': [{ write: failed('25006') }, false, 'database_read_only'],
  'the disk is full': [{ write: failed('53100') }, false, 'disk_full'],
  'a file is missing': [{ write: failed('58P01') }, false, 'data_folder'],
  'a page is corrupt': [{ write: failed('XX001') }, false, 'data_folder'],
  'no function is found': [{ session: failed('42883') }, false, 'settings'],
  'row_security is off': [
    { session: failed('42501', 'query would be affected by row-level security policy') },
    false,
    'settings',
  ],
  'times come back changed': [{ session: { result: false } }, false, 'settings'],
  'the tenant role cannot be entered': [{ session: failed('42501') }, false, 'database_rejects'],
  'a commit is not confirmed': [{ write: 'late', session: 'late' }, false, 'write_unconfirmed'],
  'a commit is not confirmed, and other statements wait': [
    { write: 'late', session: 'late', locks: waiting },
    false,
    'write_unconfirmed',
  ],
  'a write takes longer than statement_timeout': [
    { write: failed('57014'), session: failed('57014') },
    false,
    'write_unconfirmed',
  ],
  'connections of logins do not respond': [{ session: 'late' }, false, 'connections_stuck'],
  'connections of logins break': [{ session: failed('ETIMEDOUT') }, false, 'connections_stuck'],
  'connections of logins wait for a locked table': [
    { session: 'late', locks: locked },
    true,
    'tables_locked',
  ],
  'connections of logins break while they wait for a row': [
    { session: failed('ETIMEDOUT'), locks: waiting },
    true,
    'tables_locked',
  ],
  'a table is locked and no statement waits': [{ locks: locked }, true, 'tables_locked'],
  'the row of the probe is locked': [{ write: failed('55P03') }, true, 'tables_locked'],
  'only the row of the probe cannot be written': [
    { write: failed('42501') },
    true,
    'database_rejects',
  ],
  'locks cannot be checked': [{ locks: failed('42501') }, true, undefined],
  'no more connections are accepted': [{ write: { result: false } }, true, 'connections_used_up'],
};

for (const [found, [findings, isUsable, code]] of Object.entries(VERDICTS)) {
  test(`The node is ${isUsable ? 'usable' : 'unusable'} if ${found}, and the problem is ${code}`, () => {
    const verdict = judge({ ...WELL, ...findings });
    assert.deepEqual([verdict.isUsable, verdict.problem?.code], [isUsable, code]);
    assert.notEqual(verdict.problem?.detail, '');
  });
}

for (const [engine, open] of Object.entries(ENGINES)) {
  describe(`on ${engine}, a node that proves that it can write`, () => {
    test('A node writes its readiness probe once for any number of callers within a second, and not without callers', async () => {
      const opened = await open();
      const { database } = opened;
      let writes = 0;
      const watched = observed(database, (name) => {
        if (name === 'kw_prove_writable') writes += 1;
        return () => undefined;
      });
      const readiness = new Readiness(watched, openLog('silent'));
      assert.equal(writes, 0);
      const usable = { isUsable: true, problem: undefined };
      const verdicts = await parallel(1000, () => readiness.check());
      assert.deepEqual(
        verdicts.filter((verdict) => !verdict.isUsable),
        [],
      );
      assert.deepEqual(await readiness.check(), usable);
      assert.equal(writes, 1);
      await sql`DELETE FROM nodes`.execute(database.kysely);
      await until('it writes again', async () => {
        // Without its row too.
        assert.deepEqual(await readiness.check(), usable);
        return writes === 2;
      });
      const { rows } = await sql`SELECT FROM nodes WHERE expires_at < now()`.execute(
        database.kysely,
      );
      assert.equal(rows.length, 1);
      await opened.close();
    });
  });
}

test('The row of a node is updated within its database page, so the table does not grow', async () => {
  const database = await createDatabase();
  await database.query(`DO $$ BEGIN
    FOR n IN 1 .. 2000 LOOP
      PERFORM kw_prove_writable('me', 'host', '1.0.0');
      COMMIT;
    END LOOP;
  END $$`);
  const [row] = await database.query<{ pages: number }>(
    `SELECT (pg_relation_size('nodes') + pg_relation_size('nodes_by_expiry'))::integer / 8192 AS pages`,
  );
  assert.ok((row?.pages ?? 99) <= 4, `${row?.pages} pages`);
  await database.drop();
});
