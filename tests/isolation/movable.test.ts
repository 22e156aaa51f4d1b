import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '../harness/database.ts';

/** Tables of the installation, or of tenant names: they exist everywhere before a tenant is moved. */
const SHARED = [
  'tenants',
  'former_tenants',
  'tenant_domains',
  'installation',
  'nodes',
  'deliveries_checked',
];
/** The tables of the migrations themselves. */
const BOOKKEEPING = ['migration_checksums', 'function_checksums', 'schema_versions'];

interface Key {
  readonly on: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Key {
  readonly to: string;
  readonly to_columns: readonly string[];
}

describe('tables whose rows can be moved to another server by tenant', () => {
  let database: TestDatabase;
  let movable: readonly string[];

  before(async () => {
    database = await createDatabase();
    const rows = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const others = [...SHARED, ...BOOKKEEPING];
    movable = rows.map(({ name }) => name).filter((name) => !others.includes(name));
  });

  after(() => database.drop());

  test('Every table that can be moved by tenant has the tenant in every key, and in every unique or exclusion constraint', async () => {
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
    for (const { on, name, columns } of keys.filter((key) => movable.includes(key.on))) {
      assert.ok(columns.includes('tenant_id'), `${name} of ${on}`);
    }
    assert.ok(keys.length > movable.length);
  });

  test('Every table that can be moved by tenant has the tenant in every foreign key, except those to shared tables', async () => {
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
      if (SHARED.includes(to)) continue;
      assert.ok(movable.includes(on), `${name}: ${on} is shared, and ${to} is not`);
      const at = columns.indexOf('tenant_id');
      assert.ok(at >= 0 && others[at] === 'tenant_id', `${name} of ${on}`);
    }
  });
});
