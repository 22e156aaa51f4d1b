// Layer 2 requires that the service's login role has no special privileges.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startKeywright } from '@keywright/server/app';
import { answerTo } from '@keywright/server/operate';
import { readConfig } from '@keywright/server/platform/config';
import pg from 'pg';
import { newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';

const ROLES = 'keywright_tenant, keywright_resolver, keywright_system';

let server: TestDatabase;

before(async () => {
  server = await createDatabase();
});

after(() => server.drop());

/** Creates a role and an empty database that it owns. */
async function withLogin(
  attributes: string,
  work: (url: string, name: string) => Promise<void>,
): Promise<void> {
  const name = `kw_login_${randomBytes(8).toString('hex')}`;
  const password = newPassword();
  await server.query(`CREATE ROLE ${name} LOGIN ${attributes} PASSWORD '${password}'`);
  await server.query(`GRANT ${ROLES} TO ${name}`);
  await server.query(`CREATE DATABASE ${name} OWNER ${name}`);
  const url = Object.assign(new URL(server.url), {
    username: name,
    password,
    pathname: `/${name}`,
  });
  try {
    await work(url.href, name);
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.query(`DROP ROLE ${name}`);
  }
}

function environment(url: string): Record<string, string> {
  return {
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com',
    KEYWRIGHT_ADMIN_SECRET: newPassword(),
  };
}

async function operate(name: string, input: object, url: string): Promise<string> {
  const around = { environment: environment(url), log: { write: () => undefined } };
  const answer = await answerTo(name, JSON.stringify(input), around);
  return answer.ok ? 'done' : `${answer.code} ${answer.message}`;
}

async function start(url: string): Promise<string> {
  return startKeywright({ config: readConfig(environment(url)) }).then(
    async (running) => {
      await running.close();
      return 'done';
    },
    (error: Error) => `${error.name} ${error.message}`,
  );
}

/** Everything that was created in the database, as seen by its superuser. */
async function relationsIn(name: string): Promise<unknown[]> {
  const url = Object.assign(new URL(server.superuserUrl), { pathname: `/${name}` });
  const client = new pg.Client(url.href);
  await client.connect();
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`,
  );
  await client.end();
  return rows;
}

for (const [what, attributes, why] of [
  ['a superuser', 'SUPERUSER NOINHERIT', /it is a superuser/],
  ['a role with BYPASSRLS', 'BYPASSRLS NOINHERIT', /it has BYPASSRLS/],
  [
    "a role that inherits the service's",
    'INHERIT',
    /it inherits the privileges of keywright_tenant, /,
  ],
] as const) {
  describe(`as ${what}`, () => {
    test('The service and commands serve nothing, and create nothing, as a role that is unusable (SPEC service 6)', async () => {
      await withLogin(attributes, async (url, name) => {
        assert.match(
          await start(url),
          new RegExp(`^LoginRoleUnusable [^]* role ${name} [^]*${why.source}`),
        );
        const migrated = await operate('migrate', {}, url);
        assert.match(migrated, /^ROLE_UNUSABLE [^]*docs\/guide\/postgresql\.md/);
        assert.match(migrated, why);
        const created = await operate('admin create', { identifier: 'a@example.com' }, url);
        assert.match(created, /^ROLE_UNUSABLE /);
        assert.deepEqual(await relationsIn(name), []);
      });
    });
  });
}

test('The service starts as a role that owns its database and inherits nothing', async () => {
  await withLogin('NOINHERIT', async (url) => assert.equal(await start(url), 'done'));
});

test('The service does not start as a role that becomes a superuser by a setting', async () => {
  await withLogin('NOINHERIT', async (url, name) => {
    const { username } = new URL(server.superuserUrl);
    await server.query(`GRANT ${username} TO ${name}`);
    await server.query(`ALTER ROLE ${name} SET role = '${username}'`);
    assert.match(await start(url), /it is a superuser/);
  });
});
