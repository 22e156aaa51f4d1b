// The pages read to assign a status list bit to a key do not grow with the tenant's agents and keys, whatever the
// statistics.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { nameBit } from '../../../../sql/tokens/kw_name_bit.ts';

const TENANT = 'org_planned' as TenantId;
const AGENTS = 150;
const KEYS_OF_AN_AGENT = 10;
/** Pages of 8 KiB. An index on this tenant's keys has up to forty; a lookup per agent reads hundreds. */
const MOST_PAGES = 100;

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createDatabase();
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query('ALTER TABLE agents SET (autovacuum_enabled = off)');
  await client.query('ALTER TABLE api_keys SET (autovacuum_enabled = off)');
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  await client.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     VALUES ($1, 'ws_default', 'Default', 'default', now())`,
    [TENANT],
  );
  await client.query(
    `INSERT INTO agents (tenant_id, id, workspace_id, name, description, scopes, created_at)
     SELECT $1, 'service:' || n, 'ws_default', 'robot', '', '{}', now() FROM generate_series(1, $2::integer) AS n`,
    [TENANT, AGENTS],
  );
  await client.query(
    `INSERT INTO api_keys (tenant_id, id, agent_id, name, secret_hash, prefix, created_by, created_at, expires_at)
     SELECT $1, 'key_' || n, 'service:' || n % $2 + 1, 'key', sha256(n::text::bytea), '', 'user:1', now(),
            now() + interval '1 day'
       FROM generate_series(1, $2::integer * $3::integer) AS n`,
    [TENANT, AGENTS, KEYS_OF_AN_AGENT],
  );
});
after(async () => {
  await client.end();
  await database.drop();
});

for (const state of ['unknown', 'known']) {
  test(`The pages read to issue a token for a key do not depend on the number of agents of its tenant, with tables that are ${state}`, async () => {
    if (state === 'known') await client.query('ANALYZE');
    const params = { grant: 'key_77', version: 0, candidate: 1, now: new Date() };
    const sent = { text: nameBit.text, values: nameBit.values(TENANT, params) };
    // Runs twice, because the first execution also reads the catalogs to plan the statement.
    await pagesReadAlone(client, sent);
    const pages = await pagesReadAlone(client, sent);
    assert.ok(pages < MOST_PAGES, `${pages} pages are read`);
  });
}
