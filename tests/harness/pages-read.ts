import type pg from 'pg';

interface Explained extends pg.QueryResultRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Readonly<Record<string, number>> }];
}

type Ask = (sql: string, values: readonly unknown[]) => Promise<readonly Explained[]>;

/** How many pages of 8 KiB a statement reads, from memory or not. It is executed. */
export async function pagesRead(
  ask: Ask,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await ask(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`, values);
  const plan = row?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

/** The same in a transaction of its own, of which nothing is kept. */
export async function pagesReadAlone(
  client: pg.Client,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  await client.query('BEGIN');
  const ask: Ask = async (sql, those) => (await client.query<Explained>(sql, [...those])).rows;
  const pages = await pagesRead(ask, statement, values);
  await client.query('ROLLBACK');
  return pages;
}
