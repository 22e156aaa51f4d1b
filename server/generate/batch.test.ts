import assert from 'node:assert/strict';
import { it } from 'node:test';
import { batchText } from './batch.ts';
import type { DatabaseFunction } from './catalog.ts';
import { headerOf } from './header.ts';

const field = (name: string, type: string) => ({ name, type, isNullable: false });
const PARAMETERS = [
  field('p_tenant', 'text'),
  field('p_id', 'bytea'),
  field('p_now', 'timestamp with time zone'),
];

function textOf(caller: string, result: Pick<DatabaseFunction, 'columns' | 'isTable'>): string {
  const header = headerOf('kw_x', `-- caller: ${caller}\nCREATE OR REPLACE FUNCTION kw_x() …`);
  const fn = { name: 'kw_x', parameters: PARAMETERS, table: undefined, expectedRows: 1, ...result };
  return batchText(fn, header);
}

const ITEMS =
  'unnest($1::text[], $2::bytea[], $3::timestamp with time zone[])' +
  ' WITH ORDINALITY AS item (p_tenant, p_id, p_now, n)';
const CALL = 'kw_x(item.p_tenant, item.p_id, item.p_now)';

it('The statement of a batch calls a function for each item, and adds the place of the item', () => {
  const answer = { columns: [field('answer', 'boolean')], isTable: false };
  assert.equal(
    textOf('batched reading', answer),
    `SELECT item.n::integer AS place, ${CALL} AS answer FROM ${ITEMS}`,
  );
  const rows = { columns: [field('id', 'text')], isTable: true };
  assert.equal(
    textOf('batched reading', rows),
    `SELECT item.n::integer AS place, result.* FROM ${ITEMS} CROSS JOIN LATERAL ${CALL} AS result`,
  );
});

it('The statement of a batch that writes sorts its items by the tenant and the next argument, so that batches cannot deadlock', () => {
  assert.equal(
    textOf('batched writing', { columns: [], isTable: false }),
    `SELECT item.n::integer AS place, ${CALL}` +
      ` FROM (SELECT * FROM ${ITEMS} ORDER BY p_tenant COLLATE "C", p_id, n) AS item`,
  );
});
