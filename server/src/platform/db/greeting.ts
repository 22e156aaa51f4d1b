import type { DatabaseFault } from './database.ts';
import { type Deadlines, type Exchange, FormerPrimary } from './deadlines.ts';
import { isUnsupported } from './failures.ts';
import { refuseSettings, SettingsUnusable, WRONG_SETTINGS } from './session-settings.ts';

/** The server is a standby that was not promoted: it can lag behind revocations, and it rejects writes. */
class ConnectedToStandby extends Error {
  /** The code of PostgreSQL's error for a first write: read_only_sql_transaction. */
  readonly code = '25006';

  constructor() {
    super('the server is a standby, which is read-only');
    this.name = 'ConnectedToStandby';
  }
}

/** Interval at which a server process checks whether the client of its statement is still connected. */
const CHECK_CLIENT_MS = 2000;

/** connection_failure */
const CLOSED = '08006';

const SYSTEM = '(SELECT system_identifier::text FROM pg_control_system())';
/** The name of a WAL file starts with the timeline, in hexadecimal. */
const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer`;
const PRIMARY = `${SYSTEM} AS system, CASE WHEN NOT pg_is_in_recovery() THEN ${TIMELINE} END AS timeline`;
const UNKNOWN_PRIMARY = 'NULL AS system, NULL AS timeline';

/**
 * Prevents abandoned work from holding locks on the server: PostgreSQL ends idle transactions, and statements that
 * wait for a lock after their client has disconnected (if the server's operating system reports it). These settings
 * are not used behind a pooler, where they would persist in a server process that serves other clients. The pinned
 * settings are also set behind a pooler, because they are stored for every client with this role (`storeSettings`).
 */
const greetingWith = (primary: string) => `
  WITH wrong AS MATERIALIZED (${WRONG_SETTINGS})
  SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS is_standby, ${primary},
         CASE WHEN pg_backend_pid() = $1
           THEN set_config('idle_in_transaction_session_timeout', $2, false) END,
         CASE WHEN pg_backend_pid() = $1 AND version() ~ 'linux|darwin|bsd'
           THEN set_config('client_connection_check_interval', $3, false) END,
         ARRAY(SELECT name FROM wrong
                WHERE NOT is_required AND set_config(name, accepted[1], false) IS NOT NULL) AS wrong,
         ARRAY(SELECT name FROM wrong WHERE is_required) AS unusable`;
const GREETING = greetingWith(PRIMARY);
const GREETING_WITHOUT_PRIMARY = greetingWith(UNKNOWN_PRIMARY);

interface Row {
  readonly pid: number;
  readonly is_standby: boolean;
  /** Null if the server does not report it, as on some managed servers. */
  readonly system: string | null;
  readonly timeline: number | null;
  /** The names of settings that had to be pinned. */
  readonly wrong: readonly string[];
  /** The names of settings that cannot be pinned and have an unacceptable value. */
  readonly unusable: readonly string[];
}

export interface Greeting {
  readonly isPooled: boolean;
  /** The names of settings that had to be pinned. */
  readonly wrong: readonly string[];
}

/**
 * Identifies the server behind a new connection, and pins its settings. A pooler, such as PgBouncer in transaction
 * mode, can assign another server process to each transaction. It reports a made-up process ID on connecting, which
 * differs from that of the server process. Behind a pooler, no state lasts from one transaction to the next: no
 * prepared statements, no LISTEN.
 * @throws ConnectedToStandby, FormerPrimary, SettingsUnusable
 */
export async function greet(exchange: Exchange, deadlines: Deadlines): Promise<Greeting> {
  exchange.started();
  try {
    const greeting = await judge(exchange, deadlines);
    deadlines.fault = undefined;
    return greeting;
  } catch (error) {
    deadlines.fault = faultOf(error) ?? deadlines.fault;
    throw error;
  } finally {
    exchange.answered();
  }
}

async function judge(exchange: Exchange, deadlines: Deadlines): Promise<Greeting> {
  const client = exchange.client as typeof exchange.client & { readonly processID: number | null };
  const row = await query(exchange, [
    client.processID,
    String(deadlines.limitMs),
    String(CHECK_CLIENT_MS),
  ]);
  if (row.is_standby) throw new ConnectedToStandby();
  const isPooled = row.pid !== client.processID;
  const { system, timeline } = row;
  if (system !== null && timeline !== null) {
    try {
      deadlines.admit(exchange, { system, timeline });
    } catch (error) {
      if (isPooled && error instanceof FormerPrimary) await endSessions(exchange, system, error);
      throw error;
    }
  }
  if (row.unusable.length > 0) await refuseSettings(client, row.unusable);
  return { isPooled, wrong: row.wrong };
}

async function query({ client }: Exchange, values: readonly unknown[]): Promise<Row> {
  const { rows } = await client.query<Row>(GREETING, [...values]).catch((error: unknown) => {
    // Amazon Aurora, for example, has no timelines.
    if (!isUnsupported(error)) throw error;
    return client.query<Row>(GREETING_WITHOUT_PRIMARY, [...values]);
  });
  const [row] = rows;
  if (row) return row;
  // The server process of the pooler has just ended.
  throw Object.assign(new Error('PostgreSQL returned no row for the greeting'), {
    code: CLOSED,
  });
}

/**
 * Ends the role's sessions on a former primary, so that the pooler reconnects. If the transaction is assigned a
 * process of the new primary, the statement has no effect.
 */
async function endSessions({ client }: Exchange, system: string, former: FormerPrimary) {
  const end = `
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = session_user
       AND ${SYSTEM} = $1 AND ${TIMELINE} < $2
     ORDER BY pid = pg_backend_pid()`;
  await client.query(end, [system, former.newest]).catch(() => {
    // The statement ends its own process last.
  });
}

function faultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof FormerPrimary) {
    const detail = `KEYWRIGHT_DATABASE_URL leads to a former primary: ${error.message}.`;
    return { code: 'failover', detail };
  }
  if (error instanceof SettingsUnusable) return { code: 'settings', detail: error.message };
  return undefined;
}
