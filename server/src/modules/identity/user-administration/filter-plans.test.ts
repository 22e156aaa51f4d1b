// Filters that match few of many users read only those users.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantId, UserId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { type UserFilter, countUsers, findUsers } from '../users/user-list-store.ts';

const TENANT = 'org_planned' as TenantId;
const USERS = 50_000;
/** Every 2000th user matches. */
const FEW = USERS / 2000;
/**
 * In pages of 8 KiB: users alone have about 600, which a scan would read twice. Each match costs lookups of the user
 * and of the displayed data.
 */
const FEW_PAGES = 700;
const BEFORE = new Date('2026-01-01T00:00:00Z');

let database: TestDatabase;
let service: Database;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  await database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at, is_active)
       SELECT $1, 'user:' || lpad(n::text, 26, '0'), timestamptz '2026-01-01' + n * interval '1 s', n % 2000 <> 7
         FROM generate_series(1, $2::integer) AS n
       RETURNING tenant_id, id, right(id, 6)::integer AS n),
     addresses AS (
       INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position, verified)
       SELECT tenant_id, n || '@example.com', id, 'email', 0, n % 2000 <> 7 FROM new)
     INSERT INTO user_logins (tenant_id, user_id, last_login_at)
     SELECT tenant_id, id, $3::timestamptz + CASE WHEN n % 2000 = 7 THEN -1 ELSE n END * interval '1 min' FROM new`,
    [TENANT, USERS, BEFORE],
  );
  await database.query('VACUUM ANALYZE users, user_identifiers, user_logins');
});
after(async () => {
  await service.close();
  await database.drop();
});

const NAMED = Array.from({ length: FEW }, (_, few) => {
  const n = 7 + few * 2000;
  return `user:${String(n).padStart(26, '0')}` as UserId;
});
const FILTERS: Readonly<Record<string, UserFilter>> = {
  named: { ids: NAMED },
  inactive: { is_active: false },
  unverified: { is_verified: false },
  'not logged in for long': { last_login_before: BEFORE },
};

for (const [whom, filter] of Object.entries(FILTERS)) {
  for (const from of [undefined, { value: '2026-01-01T13:00:00.000Z', id: '' }]) {
    test(`A few users that are ${whom} among many are found ${from ? 'by cursor' : 'at first'} without reading the others`, async () => {
      const page = { number: 1, limit: 20, offset: 0, field: 'created_at', descending: true };
      await new Gate(service).into(TENANT).transaction(async (tx) => {
        const earlier = await pagesReadSoFar(tx.db);
        const found = await findUsers(tx, { ...page, binding: '', after: from }, filter);
        assert.equal(found.length, 21);
        assert.equal(await countUsers(tx, filter), FEW);
        const pages = (await pagesReadSoFar(tx.db)) - earlier;
        assert.ok(pages < FEW_PAGES, `${pages} pages are read`);
      });
    });
  }
}
