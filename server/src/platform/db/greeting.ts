import type { Exchange } from './deadlines.ts';

/** A standby that was not promoted: it may lag behind revocations, and takes no writes. */
class ConnectedToStandby extends Error {
  /** The error of a first write: read_only_sql_transaction. */
  readonly code = '25006';

  constructor() {
    super('the server is a standby, which is read-only');
    this.name = 'ConnectedToStandby';
  }
}

/** Interval at which a server process checks whether the client of its statement is still connected. */
const CHECK_CLIENT_MS = 2000;

/**
 * - What this side has abandoned must not hold locks on the server: an idle transaction ends, and so does a statement
 * that waits for a lock when its client is gone (where the server's operating system reports it). - Not behind a
 * pooler: there, a setting would stay with a server process that serves other clients.
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
 * Finds out what a new connection leads to. A pooler, such as PgBouncer in transaction mode, may assign another server
 * process to each transaction. It reports a made-up process id on connecting, which differs from that of the server
 * process. Then no state lasts from one transaction to the next: no prepared statements, no LISTEN.
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
