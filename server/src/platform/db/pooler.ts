import type pg from 'pg';

/**
 * Whether something stands between this connection and the server that may give it another server process with
 * each transaction, such as PgBouncer in transaction mode. What one learns of the process when it connects is made
 * up by whoever is asked, so a pooler tells another number than the process itself does. Then nothing holds from one
 * transaction to the next: no prepared statement, no LISTEN.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const told = (client as pg.Client & { readonly processID: number | null }).processID;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== told;
}
