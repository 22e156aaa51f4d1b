// A tenant with 10,000 applications costs its requests no more than one with a single application, whatever the planner knew.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import type { Kysely } from 'kysely';
import { findClients } from '../../../../sql/oauth/kw_find_clients.ts';
import { findClientVersions } from '../../../../sql/oauth/kw_find_client_versions.ts';
import { touchClient } from '../../../../sql/oauth/kw_touch_client.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import type { DB } from '../../../platform/db/schema.ts';
import { openLog } from '../../../platform/log.ts';
import { UncachedAuditKeys } from '../../../tenancy/audit-keys.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { SystemData } from '../../../tenancy/gate.ts';
import { findDue } from '../clients/client-store.ts';

const CLIENTS = 10_000;
const SMALL = 'org_small' as TenantId;
const LARGE = 'org_large' as TenantId;
/**
 * Pages of 8 KiB: an index of 10,000 rows has one more level than an index of one row. The table has a thousand
 * pages.
 */
const MORE_PAGES = 10;
const NOW = new Date();

let database: TestDatabase;
let service: Database;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) SELECT t, 'Planned', now() FROM unnest($1::text[]) AS t`,
    [[SMALL, LARGE]],
  );
  for (const table of ['oauth_clients', 'oauth_client_secrets', 'client_registrations']) {
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  await fill(SMALL, 1);
  await database.query('ANALYZE');
  await fill(LARGE, CLIENTS);
});
after(async () => {
  await service.close();
  await database.drop();
});

async function fill(tenant: TenantId, clients: number): Promise<void> {
  await database.query(
    `WITH new AS (
       INSERT INTO oauth_clients (tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris,
                                  post_logout_redirect_uris, grant_types, scopes, id_token_signed_response_alg,
                                  created_by, created_at)
       SELECT $1, 'client_' || n, 'Registered', 'web', false, 'client_secret_basic',
              '{https://app.example.com/callback}', '{}', '{authorization_code}', '{openid,email}', 'RS256',
              'registration', now()
         FROM generate_series(1, $2::integer) AS n RETURNING tenant_id, id),
     secrets AS (
       INSERT INTO oauth_client_secrets (tenant_id, id, client_id, secret_hash, created_at)
       SELECT tenant_id, 'csec_' || id, id, sha256(id::bytea), now() FROM new)
     INSERT INTO client_registrations (tenant_id, client_id, token_hash, kept_until)
     SELECT tenant_id, id, sha256(id::bytea),
            CASE WHEN id = 'client_1' THEN now() - interval '1 s' ELSE now() + interval '30 d' END FROM new`,
    [tenant, clients],
  );
}

type Work = (db: Kysely<DB>, tenant: TenantId) => Promise<unknown>;

const CALLS: Readonly<Record<string, Work>> = {
  'the client of an authorization request': (db, tenant) =>
    callWithin({ db }, findClients, parametersOf(tenant)),
  'its version, when a code is exchanged': (db, tenant) =>
    callWithin({ db }, findClientVersions, parametersOf(tenant)),
  'the note that it was used': (db, tenant) =>
    callWithin({ db }, touchClient, [{ tenant, client: 'client_1' as OAuthClientId, hour: NOW }]),
};

function parametersOf(tenant: TenantId) {
  return { tenants: [tenant], clients: ['client_1' as OAuthClientId] };
}

async function pagesOf(work: (db: Kysely<DB>) => Promise<unknown>): Promise<number> {
  return service.kysely.transaction().execute(async (db) => {
    const earlier = await pagesReadSoFar(db);
    await work(db);
    return (await pagesReadSoFar(db)) - earlier;
  });
}

for (const [what, work] of Object.entries(CALLS)) {
  test(`The query for ${what} reads as much with 10,000 clients as with one`, async () => {
    const alone = await pagesOf((db) => work(db, SMALL));
    const among = await pagesOf((db) => work(db, LARGE));
    assert.ok(among - alone <= MORE_PAGES, `${alone} pages alone, ${among} among the others`);
  });
}

test('Housekeeping reads client registrations that are due, and not those that are kept', async () => {
  // In production, autovacuum has analyzed the table by then.
  await database.query('ANALYZE client_registrations');
  const keys = new UncachedAuditKeys(service, () => new MasterKeys([]));
  const system = new SystemData(service, openLog('silent'), () => '[]', keys);
  const { due, pages } = await system.maintain('sweep', async (tx) => {
    const earlier = await pagesReadSoFar(tx.db);
    const found = await findDue(tx, new Date(), NOW);
    return { due: found.length, pages: (await pagesReadSoFar(tx.db)) - earlier };
  });
  assert.equal(due, 2);
  assert.ok(pages <= 25, `${pages} pages`);
});

test('A client that anyone registers takes up less than 2 KiB with its indexes, apart from an audit log entry', async () => {
  const tables = ['oauth_clients', 'oauth_client_secrets', 'client_registrations'];
  const sizes = await database.query<{ name: string; bytes: number }>(
    `SELECT t AS name, (pg_total_relation_size(t::regclass) / $2)::integer AS bytes FROM unnest($1::text[]) AS t`,
    [tables, CLIENTS],
  );
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(all < 2048, JSON.stringify(sizes));
});
