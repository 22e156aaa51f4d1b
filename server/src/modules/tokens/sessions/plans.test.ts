// Statements about the sessions of a user or of a login read only those, not all sessions of the tenant, whatever
// PostgreSQL's statistics are. A page of the sessions of a client or of the tenant reads only the sessions on it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { Gate, type TenantTx } from '../../../tenancy/gate.ts';
import { endSessionsOf, endSessionsOfClient, findSessions } from './administration-store.ts';
import { adopt } from './browser-logins-store.ts';

const TENANTS = 500;
const FEW = 4;
const LARGE = 'org_1';
const USERS = 10_000;
const USER = 'user:5000' as UserId;
const OTHERS = 4;
/** Pages of 8 KiB, also of each index that a moved session is added to. The table and each index have several hundred. */
const FEW_PAGES = 120;

let database: TestDatabase;
let service: Database;

async function fill(tenants: number, users: number): Promise<void> {
  await database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT 'org_' || tenant, 'user:' || n, now()
         FROM generate_series(1, $1::integer) AS tenant, generate_series(1, $2::integer) AS n
           ON CONFLICT DO NOTHING
       RETURNING tenant_id, id)
     INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
                           absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr,
                           client_id, scopes, parent_id, login_id)
     -- In one statement: an index would also lead to the rows before an UPDATE, for as long as any older transaction lives.
     SELECT tenant_id, 'session:' || md5(id || n), id, 'ws_default', '',
            now() + coalesce(age, 0) * interval '1 s', now(), now(), '', '', now(),
            CASE WHEN client IS NULL THEN 'api' ELSE 'client' END, now(), 'aal1', '{pwd}',
            client, CASE WHEN client IS NOT NULL THEN '{}'::text[] END,
            login, login
       FROM new, generate_series(0, CASE WHEN id = $3 THEN $4::integer ELSE 0 END) AS n,
            CAST(substring(id FROM '[0-9]{4}$') AS integer) AS age,
            -- The newest sessions are at none, and those of both are mixed: an index by age or by client alone reads many.
            LATERAL (SELECT CASE WHEN age < 5000 AND age % 16 = 7 THEN 'client_rare'
                                 WHEN age < 7000 THEN 'client_popular' END AS client) AS at_client,
            LATERAL (SELECT CASE WHEN client IS NOT NULL THEN 'session:browser' || id END AS login) AS opened_in`,
    [tenants, users, USER, OTHERS],
  );
}

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at)
     SELECT 'org_' || n, 'Planned', now() FROM generate_series(1, $1::integer) AS n`,
    [TENANTS],
  );
  await database.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     SELECT tenant_id, 'ws_default', 'Default', 'default', now() FROM tenants`,
  );
  await database.query('ALTER TABLE sessions SET (autovacuum_enabled = off)');
  await fill(TENANTS, FEW);
  await database.query('ANALYZE');
  await fill(1, USERS);
});
after(async () => {
  await service.close();
  await database.drop();
});

const OLD_LOGIN = `session:browser${USER}` as SessionId;
const NEW_LOGIN = 'session:browsernew' as SessionId;
const POPULAR = 'client_popular' as OAuthClientId;

/** Each changes the sessions of the user, all of which are at one client, in one login. */
const CHANGES: Readonly<Record<string, (tx: TenantTx) => Promise<unknown>>> = {
  'Ending all sessions of a user': (tx) => endSessionsOf(tx, USER, 'revoked'),
  'Ending the sessions of a user at a client of many users': (tx) =>
    endSessionsOfClient(tx, POPULAR, 'consent_revoked', USER),
  'Moving the sessions of a login to another one': (tx) => adopt(tx, OLD_LOGIN, NEW_LOGIN),
};

for (const state of ['assumed to be small', 'known']) {
  for (const [change, run] of Object.entries(CHANGES)) {
    test(`${change} reads only those, in a tenant that is ${state}`, async () => {
      if (state === 'known') await database.query('ANALYZE sessions');
      const rolledBack = new Error('rolled back');
      const pages: number[] = [];
      const changed: number[] = [];
      const work = new Gate(service).into(LARGE as TenantId).transaction(async (tx) => {
        const earlier = await pagesReadSoFar(tx.db);
        await run(tx);
        pages.push((await pagesReadSoFar(tx.db)) - earlier);
        changed.push(await changedIn(tx));
        throw rolledBack;
      });
      await assert.rejects(work, rolledBack);
      assert.deepEqual(changed, [1 + OTHERS]);
      assert.ok((pages[0] ?? 0) < FEW_PAGES, `${pages[0]} pages are read`);
    });
  }
}

async function changedIn({ db }: TenantTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM sessions
     WHERE user_id = ${USER} AND (NOT is_active OR parent_id = ${NEW_LOGIN})`.execute(db);
  return rows[0]?.n ?? 0;
}

for (const [name, clientId] of [
  ['at a client of many users', POPULAR],
  ['at a client of few users', 'client_rare' as OAuthClientId],
  ['of a tenant', undefined],
] as const) {
  test(`A page of the sessions ${name} reads only what is on it`, async () => {
    // Without statistics, another index of a client's sessions may look equally cheap.
    await database.query('ANALYZE sessions');
    const page = {
      number: 1,
      limit: 20,
      offset: 0,
      field: 'created_at',
      descending: true,
      binding: '',
      after: undefined,
    };
    const filter = {
      only: undefined,
      clientId,
      isActive: undefined,
      state: undefined,
    };
    const [found, pages] = await new Gate(service)
      .into(LARGE as TenantId)
      .transaction(async (tx) => {
        const earlier = await pagesReadSoFar(tx.db);
        const rows = await findSessions(tx, page, filter);
        return [rows.length, (await pagesReadSoFar(tx.db)) - earlier] as const;
      });
    assert.ok(found > 0);
    assert.ok(pages < FEW_PAGES, `${pages} pages are read`);
  });
}
