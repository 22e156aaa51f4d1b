import type { TestDatabase } from './database.ts';

/** PostgreSQL settings by name: the value that the service needs, and a value with which it would fail. */
export const HOSTILE_SETTINGS: Readonly<Record<string, readonly [string, string]>> = {
  DateStyle: ['ISO, MDY', 'SQL, DMY'],
  TimeZone: ['UTC', 'Pacific/Apia'],
  bytea_output: ['hex', 'escape'],
  extra_float_digits: ['1', '-15'],
  array_nulls: ['on', 'off'],
  standard_conforming_strings: ['on', 'off'],
  search_path: ['public', 'elsewhere'],
  row_security: ['on', 'off'],
  default_transaction_isolation: ['read committed', 'serializable'],
  default_transaction_read_only: ['off', 'on'],
  exit_on_error: ['off', 'on'],
  idle_session_timeout: ['0', '200ms'],
  enable_indexscan: ['on', 'off'],
  enable_bitmapscan: ['on', 'off'],
  enable_nestloop: ['on', 'off'],
  synchronous_commit: ['on', 'off'],
};

/** For all roles in the database, or for the service's role there, which can set them itself. */
export async function makeHostile(
  { url, query }: Pick<TestDatabase, 'url' | 'query'>,
  { names = Object.keys(HOSTILE_SETTINGS), isForRole = false } = {},
): Promise<void> {
  const { pathname, username } = new URL(url);
  const database = `DATABASE ${pathname.slice(1)}`;
  const holder = isForRole ? `ROLE ${username} IN ${database}` : database;
  for (const name of names) {
    await query(`ALTER ${holder} SET ${name} = '${HOSTILE_SETTINGS[name]?.[1]}'`);
  }
}
