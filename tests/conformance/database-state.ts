import type { TestDatabase } from '../harness/database.ts';

/** Changed by sealing a second later, by earlier logins, and every five minutes, whatever is requested meanwhile. */
const LATER = [
  'audit_chain',
  'audit_checkpoints',
  'audit_unsealed',
  'user_logins',
  'activity',
  'nodes',
];

/** A fingerprint of every row of each table, by table name. */
export async function stateOf(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const told = tables.filter(({ name }) => !LATER.includes(name));
  const fingerprints = told.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS state
         FROM ${name} t`,
  );
  const rows = await database.query<{ name: string; state: string }>(
    fingerprints.join(' UNION ALL '),
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
