import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { statement } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { migrate } from '@keywright/server/platform/db/migrate';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { spawnServerProcess } from '../harness/process.ts';
import { databaseDirectory } from '../harness/temporary.ts';

const REFUSAL = /^Keywright cannot serve requests: /;

/** Violations of layer 2, and the message for each. */
const BREAKS: readonly (readonly [title: string, sql: string, finding: RegExp])[] = [
  [
    'row-level security is switched off on isolation_check',
    'ALTER TABLE isolation_check DISABLE ROW LEVEL SECURITY',
    /isolation_check is not guarded/,
  ],
  [
    'row-level security is switched off on one table',
    'ALTER TABLE users DISABLE ROW LEVEL SECURITY',
    /users is not guarded/,
  ],
  [
    'row-level security does not bind the owner of a table',
    'ALTER TABLE sessions NO FORCE ROW LEVEL SECURITY',
    /sessions is not guarded/,
  ],
  [
    'a new table of tenants was not put under row-level security',
    'CREATE TABLE extras (tenant_id text PRIMARY KEY)',
    /extras is not guarded/,
  ],
  [
    'a policy shows isolation_check to all roles',
    'CREATE POLICY open ON isolation_check USING (true)',
    /a row of another tenant is visible/,
  ],
  [
    'isolation_check is empty, so that no row could be found',
    'DELETE FROM isolation_check',
    /the row of the isolation check is missing/,
  ],
];

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  for (const [title, sql, finding] of BREAKS) {
    test(`The service refuses to start if ${title} (SPEC service 6)`, async () => {
      const torn = await createDatabase();
      try {
        await torn.query(sql);
        await assertRefused(environment(torn.url), finding);
        // Nothing was written: no tenant, no administrator.
        assert.deepEqual(await torn.query('SELECT tenant_id FROM tenants'), []);
      } finally {
        await torn.drop();
      }
    });
  }

  test('The service starts if isolation is intact, and again after a violation is repaired (SPEC service 6)', async () => {
    await start(environment(database.url));
    await database.query('ALTER TABLE users DISABLE ROW LEVEL SECURITY');
    await assertRefused(environment(database.url), /users is not guarded/);
    await database.query('ALTER TABLE users ENABLE ROW LEVEL SECURITY');
    await start(environment(database.url));
  });

  test('A process whose isolation check fails states the reason in one message, without a stack, and exits with 1 (SPEC service 6)', async () => {
    const torn = await createDatabase();
    try {
      await torn.query('CREATE POLICY open ON isolation_check USING (true)');
      const server = spawnServerProcess({ env: environment(torn.url) });
      const exit = await server.exit().catch(() => server.kill9());
      assert.deepEqual(exit, { code: 1, signal: null });
      assert.match(server.stderr, REFUSAL);
      assert.match(server.stderr, /a row of another tenant is visible/);
      assert.match(
        server.stderr,
        /keywright_tenant.+are not superusers and do not have BYPASSRLS/s,
      );
      assert.doesNotMatch(server.stderr, /\n\s+at /);
      assert.doesNotMatch(server.stdout, /listening/);
    } finally {
      await torn.drop();
    }
  });
});

test('The service rejects an embedded database whose tenant role can bypass row-level security (SPEC service 6)', async () => {
  const dataDir = await databaseDirectory('isolation-check');
  const env = { KEYWRIGHT_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'silent', KEYWRIGHT_DATA_DIR: dataDir };
  const database = await openEmbedded(dataDir);
  await migrate(database);
  await database.run(statement('break', 'ALTER ROLE keywright_tenant BYPASSRLS'), []);
  await database.close();
  await assertRefused(env, /a row of another tenant is visible/);
});

function environment(url: string) {
  return {
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
  };
}

const MASTER_KEY = randomBytes(32).toString('base64');

/** Starts the service and stops it again. */
async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const running = await startKeywright({ config: readConfig(env) });
  await running.close();
}

async function assertRefused(
  env: Readonly<Record<string, string>>,
  finding: RegExp,
): Promise<void> {
  await assert.rejects(start(env), (error: Error) => {
    assert.equal(error.name, 'IsolationBroken');
    assert.match(error.message, REFUSAL);
    assert.match(error.message, finding);
    return true;
  });
}
