import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { until } from './until.ts';

interface Explained extends pg.QueryResultRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Readonly<Record<string, number>> }];
}

type Query = (sql: string, values: readonly unknown[]) => Promise<readonly Explained[]>;

/** The number of 8 KiB pages that a statement reads, cached or not. Executes the statement. */
export async function pagesRead(
  query: Query,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`, values);
  const plan = row?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

/** A statement as the service sends it: the text of a generated caller, with its values. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The number of pages that a statement reads, in a transaction that is rolled back. */
export async function pagesReadAlone(client: pg.Client, { text, values }: Sent): Promise<number> {
  await client.query('BEGIN');
  const query: Query = async (statement, those) =>
    (await client.query<Explained>(statement, [...those])).rows;
  const pages = await pagesRead(query, text, values);
  await client.query('ROLLBACK');
  return pages;
}

/** The number of pages of the service's tables and indexes that this transaction has read so far. */
export async function pagesReadSoFar(
  transaction: Pick<Kysely<never>, 'getExecutor'>,
): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(c.oid)), 0)::integer AS pages
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace`.execute(transaction);
  return rows[0]?.pages ?? 0;
}

/** The number of rows and index entries of the service's tables that this transaction has read so far. */
export async function rowsReadSoFar(
  transaction: Pick<Kysely<never>, 'getExecutor'>,
): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0)::integer AS read
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace`.execute(transaction);
  return rows[0]?.read ?? 0;
}

/**
 * Runs VACUUM ANALYZE until every row is known to be visible to all, so that index-only scans read no table pages. One
 * VACUUM isn't enough while another backend, such as autovacuum's ANALYZE of any table, has an older snapshot.
 */
export async function vacuumWholly(client: pg.Client, tables: readonly string[]): Promise<void> {
  const all = tables.join(', ');
  await until(`VACUUM of ${all} marks all pages`, async () => {
    await client.query(`VACUUM ANALYZE ${all}`);
    const { rows } = await client.query<{ marked: boolean }>(
      `SELECT bool_and(relallvisible = relpages) AS marked FROM pg_class
        WHERE oid = ANY ($1::text[]::regclass[])`,
      [tables],
    );
    return rows[0]?.marked;
  });
}
