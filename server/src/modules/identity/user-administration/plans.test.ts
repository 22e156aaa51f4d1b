// A search among many users reads the index on parts and the users found. It reads no other users, although the
// statements were planned when there were no users. A search that many users match reads a limited number in order.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, rowsReadSoFar, vacuumWholly } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { searchUsers } from '../../../../sql/identity/kw_search_users.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { type UserFilter, walkUsers } from '../users/user-list-store.ts';

const TENANT = 'org_planned' as TenantId;
const USERS = 10_000;
/** Every 25th user contains the part: 400, about three on each page of their table. */
const EVERY = 25;
const LIMIT = 21;
const COUNT_UP_TO = 10_001;
/** In pages of 8 KiB. All identifiers take 130, the index on parts takes 60, and the displayed data takes 70 more. */
const THOSE_FOUND = 300;
/** The maximum of users that are read in order, and of rows and index entries for that: at most nine for each user. */
const MOST_PASSED = 600;
const A_WALK = 9 * MOST_PASSED;
const LAST_ID = '\u{10FFFF}';

let database: TestDatabase;
let client: pg.Client;
let service: Database;

interface Search {
  readonly descending: boolean;
  readonly from: string;
}

function searchFor({ descending, from }: Search) {
  const page = { field: 'created_at', descending, value: '', id: from, skip: 0, limit: LIMIT };
  const params = {
    rare: ['%hopp%'],
    also: null,
    part: 'hopper',
    name: null,
    nameRare: [],
    ...page,
    users: USERS,
    most: COUNT_UP_TO,
  };
  return { text: searchUsers.text, values: searchUsers.values(TENANT, params) };
}

const pagesOf = (search: Search) => pagesReadAlone(client, searchFor(search));

const idOf = (n: number) => `user:${String(n).padStart(26, '0')}`;

/** The users with the part, from an ID on. */
function expected({ descending, from }: Search): string[] {
  const all = Array.from({ length: USERS / EVERY }, (_, n) => idOf((n + 1) * EVERY));
  const beyond = all.filter((id) => (descending ? id < from : id > from));
  return (descending ? beyond.toReversed() : beyond).slice(0, LIMIT);
}

const starts = {
  'the newest': { descending: true, from: LAST_ID },
  'the oldest': { descending: false, from: '' },
  'those before a user': { descending: true, from: idOf(5010) },
  'those after a user': { descending: false, from: idOf(5010) },
} as const;

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  // Runs each query twice: to plan it, and to keep the plan.
  for (const start of [...Object.values(starts), ...Object.values(starts)]) {
    await pagesOf(start);
  }
  await client.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at, name, name_key)
       SELECT $1, 'user:' || lpad(n::text, 26, '0'), timestamptz '2026-01-01' + n * interval '1 s', n, n
         FROM generate_series(1, $2::integer) AS n
       RETURNING tenant_id, id, right(id, 5)::integer AS n), logins AS (
       INSERT INTO user_logins (tenant_id, user_id, last_login_at)
       SELECT tenant_id, id, timestamptz '2026-02-01' + n % 997 * interval '1 min' FROM new)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, n || '.' || CASE WHEN n % $3 = 0 THEN 'hopper' ELSE 'knuth' END || '@example.com', id, 'email', 0
       FROM new`,
    [TENANT, USERS, EVERY],
  );
  await vacuumWholly(client, ['users', 'user_logins', 'user_identifiers']);
});
after(async () => {
  await client.end();
  await service.close();
  await database.drop();
});

describe('a search among many users', () => {
  for (const [whom, search] of Object.entries(starts)) {
    test(`A search for ${whom} reads those that it finds, and none to sort them`, async () => {
      const { rows } = await client.query<{ answer: { ids: string[] } }>(searchFor(search));
      assert.deepEqual(rows[0]?.answer.ids, expected(search));
      const pages = await pagesOf(search);
      assert.ok(pages < THOSE_FOUND, `${pages} pages are read`);
    });
  }

  for (const field of ['created_at', 'name', 'identifier', 'last_login_at']) {
    for (const descending of [true, false]) {
      const page = { number: 1, limit: 20, offset: 0, field, descending, binding: '' };
      const walk = (part: string, others: UserFilter) =>
        new Gate(service).into(TENANT).transaction(async (tx) => {
          const filter = { search: { part, name: part }, ...others };
          const earlier = await rowsReadSoFar(tx.db);
          const walked = await walkUsers(tx, { ...page, after: undefined }, filter, MOST_PASSED);
          return { ...walked, read: (await rowsReadSoFar(tx.db)) - earlier };
        });

      test(`A search for a frequent term, sorted by ${descending ? '-' : ''}${field}, reads users until the page is full`, async () => {
        const { rows, stoppedAt, read } = await walk('hopper', {});
        assert.deepEqual([rows.length, stoppedAt], [LIMIT, undefined]);
        assert.ok(read < A_WALK, `${read} rows are read`);
      });

      test(`A search that no user matches, sorted by ${descending ? '-' : ''}${field}, reads a limited number of users`, async () => {
        for (const others of [{}, { is_active: true, has_logged_in: true, is_verified: false }]) {
          const { rows, stoppedAt, read } = await walk('lovelace', others);
          assert.deepEqual([rows.length, stoppedAt === undefined], [0, false]);
          assert.ok(read < A_WALK, `${read} rows are read`);
        }
      });
    }
  }
});
