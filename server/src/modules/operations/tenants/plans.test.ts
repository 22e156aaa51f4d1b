// A page of the list of tenants reads an index up to the page, the tenants on it, and no others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone, vacuumWholly } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { listTenants } from '../../../../sql/operations/kw_list_tenants.ts';

const TENANTS = 5000;
const LIMIT = 21;
/** Pages of 8 KiB. The table has several hundred, the index on the creation time 40, each read once by the count. */
const FEW_PAGES = 200;
const COUNT_UP_TO = 10_001;
const HOME = 'org_default';

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createDatabase();
  client = new pg.Client(database.superuserUrl);
  await client.connect();
  // PostgreSQL considers rows that are not yet on disk visible to no transaction, and looks them up in the table.
  await client.query('SET synchronous_commit = on');
  await client.query(
    `INSERT INTO tenants (tenant_id, name, config, created_at)
     SELECT 'org_' || n, 'Planned', jsonb_build_object('audience', repeat('x', 400)),
            '2026-01-01'::timestamptz + n * interval '1 minute'
       FROM generate_series(1, $1::integer) AS n`,
    [TENANTS],
  );
  await client.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Home', '2025-01-01')`,
    [HOME],
  );
  await vacuumWholly(client, ['tenants']);
});
after(async () => {
  await client.end();
  await database.drop();
});

type Start = readonly [moment: string, id: string];

function pageFrom(descending: boolean, [moment, id]: Start, skip: number, countUpTo = COUNT_UP_TO) {
  const parameters = { descending, moment, id, skip, limit: LIMIT, countUpTo };
  return { text: listTenants.text, values: listTenants.values('[]', parameters) };
}

const LAST = TENANTS - LIMIT;
const MIDDLE = ['2026-01-02T12:00:00.000Z', 'org_2160'] as const;

for (const [name, isDescending, start, skip] of [
  ['the first', true, ['infinity', ''], 0],
  ['the last, by number', true, ['infinity', ''], LAST],
  ['the last of the oldest first, by number', false, ['-infinity', ''], LAST],
  ['one in the middle, by cursor', true, MIDDLE, 0],
] as const) {
  test(`A page of the tenant list reads only the tenants on it: ${name}`, async () => {
    const page = pageFrom(isDescending, start, skip);
    await pagesReadAlone(client, page);
    const pages = await pagesReadAlone(client, page);
    assert.ok(pages < FEW_PAGES, `${pages} pages are read`);
  });
}

for (const isDescending of [true, false]) {
  const order = isDescending ? 'newest' : 'oldest';
  test(`Every page of the tenant list by number has the total, with the ${order} first`, async () => {
    const start: Start = [isDescending ? 'infinity' : '-infinity', ''];
    const { rows: all } = await client.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM tenants',
    );
    const total = all[0]?.n ?? 0;
    for (const skip of [0, 1, LAST - 1, total - LIMIT, total - 1, total, total + 1]) {
      for (const countUpTo of [COUNT_UP_TO, 100]) {
        const page = pageFrom(isDescending, start, skip, countUpTo);
        const { rows } = await client.query<{ counted: number }>(page);
        assert.equal(rows[0]?.counted, Math.min(total, countUpTo), `after ${skip}`);
      }
    }
  });
}
