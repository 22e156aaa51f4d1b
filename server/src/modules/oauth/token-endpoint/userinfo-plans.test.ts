import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { type TestDatabase, createDatabase } from '@keywright/tests/harness/database';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import { userinfo } from '../../../../sql/tokens/kw_userinfo.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';

// A userinfo request reads the rows of its user, not all rows of the tenant, whatever PostgreSQL estimates.

const TENANTS = 2000;
const USERS = 5000;
const REQUESTS = 16;
/** Pages of 8 KiB: a few for each row and each index lookup. The tables have thousands of pages. */
const PAGES_EACH = 30;

let database: TestDatabase;
let service: Database;

/** Every user of these tenants uses one application. */
async function fill(tenants: number, users: number): Promise<void> {
  await database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT 'org_' || tenant, 'user:' || n, now()
         FROM generate_series(1, $1::integer) AS tenant, generate_series(1, $2::integer) AS n
           ON CONFLICT DO NOTHING
       RETURNING tenant_id, id),
     named AS (
       INSERT INTO user_identifiers (tenant_id, user_id, position, type, identifier, verified)
       SELECT tenant_id, id, 0, 'email', id || '@example.com', true FROM new)
     INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
                           absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr,
                           client_id, scopes)
     SELECT tenant_id, 'session:' || id, id, 'ws_default', '', now(), now(), now(), '', '', now(),
            'client', now(), 'aal1', '{pwd}', 'client_1', '{openid}'
       FROM new`,
    [tenants, users],
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
  await database.query(
    `INSERT INTO oauth_clients (tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris,
                                post_logout_redirect_uris, grant_types, scopes, id_token_signed_response_alg, created_at)
     SELECT tenant_id, 'client_1', 'Planned', 'web', false, 'none', '{}', '{}', '{}', '{}', 'RS256', now() FROM tenants`,
  );
  for (const table of ['sessions', 'users', 'user_identifiers', 'oauth_clients', 'tenants']) {
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  await fill(TENANTS, 1);
  await database.query('ANALYZE');
  await fill(1, USERS);
});
after(async () => {
  await service.close();
  await database.drop();
});

const MANY = Array.from({ length: REQUESTS }, (_, index) => index + 1);

for (const state of ['assumed to be small', 'known']) {
  for (const [whose, tenantOf, userOf] of [
    ['one tenant', () => 1, (n: number) => n],
    ['many tenants', (n: number) => n, () => 1],
  ] as const) {
    test(`The userinfo of users of ${whose} is read by its keys, in tables that are ${state}`, async () => {
      if (state === 'known') await database.query('ANALYZE');
      await service.kysely.transaction().execute(async (db) => {
        const earlier = await pagesReadSoFar(db);
        const [row] = await callWithin({ db }, userinfo, {
          tenants: MANY.map((n) => `org_${tenantOf(n)}` as TenantId),
          sessions: MANY.map((n) => `session:user:${userOf(n)}` as SessionId),
          versions: MANY.map(() => 0),
          users: MANY.map((n) => `user:${userOf(n)}` as UserId),
          clients: MANY.map(() => 'client_1' as OAuthClientId),
        });
        const answers = row?.answer as ({ identifiers: unknown[] } | null)[];
        assert.deepEqual(
          answers.map((answer) => answer?.identifiers.length),
          MANY.map(() => 1),
        );
        const pages = (await pagesReadSoFar(db)) - earlier;
        assert.ok(pages < PAGES_EACH * REQUESTS, `${pages} pages are read`);
      });
    });
  }
}
