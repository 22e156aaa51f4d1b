// The pages that sealing reads each second do not grow with a tenant's log, whatever size PostgreSQL assumes for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, type Sent } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { findUnsealed } from '../../../../sql/events/kw_find_unsealed.ts';
import { tenantsToSeal } from '../../../../sql/events/kw_tenants_to_seal.ts';

const TENANTS = 2000;
const HOME = 'org_1' as TenantId;
const OTHER = 'org_2' as TenantId;
const ENTRIES = 20_000;
const FEW = 4;
const UNSEALED = 50;
/** In pages of 8 KiB. The log of the first tenant has 400, and so does each of its indexes. */
const PAGES_OF_AN_ENTRY = 8;

let database: TestDatabase;
let client: pg.Client;

/** Writes this many entries for each of the first tenants. */
async function fill(tenants: number, entries: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, action, target_kind, outcome, count, details, mac)
     SELECT 'org_' || tenant, 'aud_' || $2::integer || lpad(n::text, 9, '0'), now(), 'system', 'tenants.listed', 'tenant',
            'success', 1, '{}', sha256('')
       FROM generate_series(1, $1::integer) AS tenant, generate_series(1, $2::integer) AS n`,
    [tenants, entries],
  );
}

before(async () => {
  database = await createDatabase();
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at)
     SELECT 'org_' || n, 'Planned', now() FROM generate_series(1, $1::integer) AS n`,
    [TENANTS],
  );
  await client.query('ALTER TABLE audit_entries SET (autovacuum_enabled = off)');
  // The statistics then show few entries for each tenant, and none written later.
  await fill(TENANTS, FEW);
  await client.query('VACUUM ANALYZE audit_entries');
  await fill(1, ENTRIES);
  await client.query(
    `INSERT INTO audit_unsealed SELECT tenant_id, id FROM audit_entries
      WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2`,
    [HOME, UNSEALED],
  );
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Measures a second execution, because making the plan in the first one reads catalogs. */
async function pagesOf(sent: Sent): Promise<number> {
  await pagesReadAlone(client, sent);
  return pagesReadAlone(client, sent);
}

for (const state of ['assumed to be small', 'known']) {
  test(`Sealing reads only the log entries that it seals, with a log that is ${state}`, async () => {
    if (state === 'known') await client.query('ANALYZE');
    const unsealed = findUnsealed.values({ tenants: [HOME, OTHER], limit: UNSEALED });
    const entries = await pagesOf({ text: findUnsealed.text, values: unsealed });
    assert.ok(entries < UNSEALED * PAGES_OF_AN_ENTRY, `${entries} pages are read`);
    const tenants = await pagesOf({ text: tenantsToSeal.text, values: tenantsToSeal.values({}) });
    assert.ok(tenants < PAGES_OF_AN_ENTRY * 2, `${tenants} pages are read`);
  });
}
