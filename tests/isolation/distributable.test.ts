import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '../harness/database.ts';

const GUIDE = new URL('../../docs/guide/growing.md', import.meta.url);
/** What the migrations themselves are kept in. */
const BOOKKEEPING = ['kysely_migration', 'kysely_migration_lock', 'migration_checksums'];

interface Key {
  readonly on: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Key {
  readonly to: string;
  readonly to_columns: readonly string[];
}

/** The tables that the guide spreads over servers by tenant, and those that it keeps whole on each. */
function planned(call: 'create_distributed_table' | 'create_reference_table'): string[] {
  const calls = readFileSync(GUIDE, 'utf8').matchAll(new RegExp(`${call}\\('([a-z_]+)'`, 'g'));
  return [...calls].map((found) => found[1] ?? '');
}

describe('tables that can be spread over servers by tenant', () => {
  const distributed = planned('create_distributed_table');
  const references = planned('create_reference_table');
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
  });

  after(() => database.drop());

  test('are named in the guide, every one of them', async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const all = [...distributed, ...references, ...BOOKKEEPING];
    assert.deepEqual(all.toSorted(), rows.map(({ name }) => name).toSorted());
  });

  test('have the tenant in every key, and in every exclusion of doubles', async () => {
    const keys = await database.query<Key & Record<string, unknown>>(
      `SELECT t.relname AS on, i.relname AS name,
              array_agg(a.attname::text) AS columns
         FROM pg_index x
         JOIN pg_class t ON t.oid = x.indrelid AND t.relnamespace = 'public'::regnamespace
         JOIN pg_class i ON i.oid = x.indexrelid
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey)
        WHERE x.indisunique OR x.indisexclusion
        GROUP BY 1, 2`,
    );
    for (const { on, name, columns } of keys.filter((key) => distributed.includes(key.on))) {
      assert.ok(columns.includes('tenant_id'), `${name} of ${on}`);
    }
    assert.ok(keys.length > distributed.length);
  });

  test('have the tenant in every foreign key, but for those to what is whole everywhere', async () => {
    const keys = await database.query<ForeignKey & Record<string, unknown>>(
      `SELECT c.conrelid::regclass::text AS on, c.conname AS name, c.confrelid::regclass::text AS to,
              ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (n, at)
                      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n ORDER BY at) AS columns,
              ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (n, at)
                      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n ORDER BY at) AS to_columns
         FROM pg_constraint c
        WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
    );
    assert.ok(keys.length > 0);
    for (const { on, name, to, columns, to_columns: others } of keys) {
      if (references.includes(to)) continue;
      assert.ok(distributed.includes(on), `${name}: ${on} is whole everywhere, and ${to} is not`);
      const at = columns.indexOf('tenant_id');
      assert.ok(at >= 0 && others[at] === 'tenant_id', `${name} of ${on}`);
    }
  });
});
