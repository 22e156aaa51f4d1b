import type { TestDatabase } from '../harness/database.ts';

/**
 * Tables that change regardless of the requests: by sealing a second later, by earlier logins, and every five
 * minutes.
 */
export const LATER = [
  'audit_chain',
  'audit_checkpoints',
  'audit_unsealed',
  'user_logins',
  'activity',
  'nodes',
];

const prepared = new WeakMap<TestDatabase, Promise<unknown>>();

/** A fingerprint of the rows of each table that exists at the first call, by table name; null: it has none. */
export async function stateOf(database: TestDatabase): Promise<Record<string, string | null>> {
  const ready = prepared.get(database) ?? createFunction(database);
  prepared.set(database, ready);
  await ready;
  const rows = await database.query<{ name: string; state: string | null }>(
    'SELECT * FROM tests.state_of_tables()',
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** A function is planned once: planning a statement about all tables takes most of its time. */
async function createFunction(database: TestDatabase): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const compared = tables.filter(({ name }) => !LATER.includes(name));
  const fingerprints = compared.map(
    ({ name }) =>
      `SELECT '${name}', sum(hashtextextended(t::text, 0)::numeric)::text FROM public.${name} t`,
  );
  await database.query('CREATE SCHEMA tests');
  await database.query(
    `CREATE FUNCTION tests.state_of_tables() RETURNS TABLE (name text, state text) LANGUAGE plpgsql AS $$
     BEGIN RETURN QUERY ${fingerprints.join(' UNION ALL ')}; END $$`,
  );
}
