import type { Exchange } from './deadlines.ts';

/** A standby that has not taken over: it knows nothing of what is revoked meanwhile, and takes no writes. */
class ConnectedToStandby extends Error {
  /** What it would answer to the first write: read_only_sql_transaction. */
  readonly code = '25006';

  constructor() {
    super('the server is a standby, which is read-only');
    this.name = 'ConnectedToStandby';
  }
}

/** How often a server process looks whether the client whose statement it runs is still there. */
const CHECK_CLIENT_MS = 2000;

/**
 * - What this side has given up may not hold locks on the other one: a transaction that is not continued ends, and so
 *   does a statement that waits for a lock when its client is gone (where the server's system can tell).
 * - Not behind a pooler: there, a setting would stay with a server process that others get.
 */
const GREETING = `
  SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS is_standby,
         CASE WHEN pg_backend_pid() = $1
           THEN set_config('idle_in_transaction_session_timeout', $2, false) END,
         CASE WHEN pg_backend_pid() = $1 AND version() ~ 'linux|darwin|bsd'
           THEN set_config('client_connection_check_interval', $3, false) END`;

interface Greeting {
  readonly pid: number;
  readonly is_standby: boolean;
}

/**
 * Finds out what answers on a new connection.
 * - A pooler: something stands between this connection and the server that may give it another server process with
 *   each transaction, such as PgBouncer in transaction mode. What one learns of the process when it connects is made
 *   up by whoever is asked, so a pooler tells another number than the process itself does. Then nothing holds from one
 *   transaction to the next: no prepared statement, no LISTEN.
 * @param abandonedMs how long a transaction may wait for its next statement
 * @throws ConnectedToStandby
 */
export async function greet(
  exchange: Exchange,
  abandonedMs: number,
): Promise<{ readonly isPooled: boolean }> {
  const client = exchange.client as typeof exchange.client & { readonly processID: number | null };
  exchange.sent();
  try {
    const { rows } = await client.query<Greeting>(GREETING, [
      client.processID,
      String(abandonedMs),
      String(CHECK_CLIENT_MS),
    ]);
    if (rows[0]?.is_standby) throw new ConnectedToStandby();
    return { isPooled: rows[0]?.pid !== client.processID };
  } finally {
    exchange.answered();
  }
}
