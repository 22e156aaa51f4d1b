// A search among many users reads the index on parts and the users found, or walks no further than the end of its
// page. It reads no other users, although the statements were planned when there were no users.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, vacuumWholly } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { searchUsers } from '../../../../sql/identity/kw_search_users.ts';

const TENANT = 'org_planned' as TenantId;
const USERS = 10_000;
/** Every 25th user contains the part: 400, about three on each page of their table. */
const EVERY = 25;
const LIMIT = 21;
const COUNT_UP_TO = 10_001;
/** In pages of 8 KiB. All identifiers take 130, the index on parts takes 60, and the displayed data takes 70 more. */
const THOSE_FOUND = 300;
/** The tables of users and identifiers have about 200, and so do their indexes. */
const A_WALK = 120;
const LAST_ID = '\u{10FFFF}';

let database: TestDatabase;
let client: pg.Client;

interface Search {
  /** Nothing: a walk. */
  readonly rare: string | null;
  readonly descending: boolean;
  readonly from: string;
}

function searchFor({ rare, descending, from }: Search) {
  const page = { descending, id: from, skip: 0, limit: LIMIT };
  const params = {
    rare: rare === null ? [] : [rare],
    also: null,
    part: 'hopper',
    name: null,
    nameRare: [],
    ...page,
    users: USERS,
    countUpTo: COUNT_UP_TO,
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
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  // Runs each query twice: to plan it, and to keep the plan.
  for (const start of [...Object.values(starts), ...Object.values(starts)]) {
    await pagesOf({ rare: null, ...start });
  }
  await client.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT $1, 'user:' || lpad(n::text, 26, '0'), timestamptz '2026-01-01' + n * interval '1 s'
         FROM generate_series(1, $2::integer) AS n
       RETURNING tenant_id, id, right(id, 5)::integer AS n)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, CASE WHEN n % $3 = 0 THEN 'hopper' ELSE 'knuth' END || '.' || n || '@example.com', id, 'email', 0
       FROM new`,
    [TENANT, USERS, EVERY],
  );
  await vacuumWholly(client, ['users', 'user_identifiers']);
});
after(async () => {
  await client.end();
  await database.drop();
});

describe('a search among many users', () => {
  for (const [whom, start] of Object.entries(starts)) {
    for (const [how, rare, most] of [
      ['those that it finds, and none to sort them', '%hopp%', THOSE_FOUND],
      ['no further than to the end of its page', null, A_WALK],
    ] as const) {
      test(`A search for ${whom} reads ${how}`, async () => {
        const search = { rare, ...start };
        const { rows } = await client.query<{ answer: { ids: string[] } }>(searchFor(search));
        assert.deepEqual(rows[0]?.answer.ids, expected(search));
        const pages = await pagesOf(search);
        assert.ok(pages < most, `${pages} pages are read`);
      });
    }
  }
});
