// PostgreSQL settings that an administrator can set for a role, a database or the whole server, and that would change
// the meaning of the service's statements, their maximum duration, or the guarantees of a commit (ADR 82).

import type pg from 'pg';

/** The accepted values by setting name, spelled as in PostgreSQL. The first value replaces any other. */
type Settings = Readonly<Record<string, readonly [string, ...string[]]>>;

/** Any role can set these for itself. */
const PINNED: Settings = {
  // The format of values.
  DateStyle: ['ISO, MDY'],
  TimeZone: ['UTC'],
  bytea_output: ['hex'],
  extra_float_digits: ['1'],
  array_nulls: ['on'],
  standard_conforming_strings: ['on'],
  // Settings that change what statements see and can do.
  search_path: ['public'],
  row_security: ['on'],
  default_transaction_isolation: ['read committed'],
  default_transaction_read_only: ['off'],
  // A violated constraint must not end the connection.
  exit_on_error: ['off'],
  // Statement connections can be idle for long.
  idle_session_timeout: ['0'],
  // Without these plan types, lookups read whole tables.
  enable_indexscan: ['on'],
  enable_bitmapscan: ['on'],
  enable_nestloop: ['on'],
  // With `off`, a crash of the server loses acknowledged logouts.
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
};

/** Only a superuser can set these: the service refuses a server with another value. */
const REQUIRED: Settings = {
  // With `replica`, triggers and foreign keys have no effect.
  session_replication_role: ['origin', 'local'],
};

/** Advisory lock of the node that stores the settings: any number not used otherwise in this database. */
const LOCK = 7_316_449_209;

const EXPECTED = `(VALUES ${rowsOf(PINNED, false)}, ${rowsOf(REQUIRED, true)}) AS wanted (name, accepted, is_required)`;

/** Settings with an unacceptable value. A setting that this version of PostgreSQL lacks has no value. */
export const WRONG_SETTINGS = `
  SELECT name, accepted, is_required FROM ${EXPECTED} WHERE current_setting(name, true) <> ALL (accepted)`;

/** An unacceptable value and where it was set. */
export interface StoredSetting {
  readonly name: string;
  readonly value: string;
  /** For example `the database keywright`. */
  readonly place: string;
  /** A statement that removes the setting there. */
  readonly reset: string;
}

/**
 * The stored values that are not accepted: of the role, the database, the role in the database, or all roles. Every
 * role can read them.
 */
export const STORED_SETTINGS = `
  SELECT name, value,
         CASE WHEN s.setrole = 0 AND s.setdatabase = 0 THEN 'all roles'
              ELSE concat_ws(' in ', 'the role ' || quote_ident(r.rolname), 'the database ' || quote_ident(d.datname))
              END AS place,
         concat_ws(' ', 'ALTER',
           CASE WHEN s.setrole = 0 AND s.setdatabase <> 0 THEN 'DATABASE ' || quote_ident(d.datname)
                ELSE concat_ws(' IN DATABASE ', 'ROLE ' || coalesce(quote_ident(r.rolname), 'ALL'), quote_ident(d.datname))
                END,
           'RESET', name) || ';' AS reset
    FROM pg_db_role_setting s
    LEFT JOIN pg_roles r ON r.oid = s.setrole
    LEFT JOIN pg_database d ON d.oid = s.setdatabase
   CROSS JOIN LATERAL unnest(s.setconfig) AS entry
   CROSS JOIN LATERAL substr(entry, strpos(entry, '=') + 1) AS value
    JOIN ${EXPECTED} ON lower(name) = lower(split_part(entry, '=', 1)) AND value <> ALL (accepted)
   WHERE (s.setrole = 0 OR r.rolname = session_user)
     AND (s.setdatabase = 0 OR d.datname = current_database())
   ORDER BY name, place`;

/** The server has an unusable setting that only a superuser can change; the message names where it was set. */
export class SettingsUnusable extends Error {
  /** sqlserver_rejected_establishment_of_sqlconnection */
  readonly code = '08004';

  constructor(names: readonly string[], stored: readonly StoredSetting[]) {
    const reasons = names.map((name) => {
      const places = stored.filter((setting) => setting.name === name);
      if (places.length === 0) return `${name}, which the configuration of the server sets`;
      return places
        .map(({ value, place, reset }) => `${name}, which is ${value} for ${place}: ${reset}`)
        .join(' ');
    });
    super(`A superuser must reset these PostgreSQL settings. ${reasons.join(' ')}`);
    this.name = 'SettingsUnusable';
  }
}

/** @throws SettingsUnusable */
export async function refuseSettings(client: pg.Client, names: readonly string[]): Promise<never> {
  const { rows } = await client.query<StoredSetting>(STORED_SETTINGS);
  throw new SettingsUnusable(names, rows);
}

/**
 * Stores the settings once for all future sessions of the role in this database. Behind a pooler, a session serves many
 * clients in turn, and greetings do not reach every session. Settings of a role in a database override those of the
 * role and those of the database, and every role can store them for itself. Terminates the sessions that the pooler
 * already has: the idle ones, or all of them if their settings may be wrong.
 * @param wrong the settings that the greeting had to set
 */
export async function storeSettings(
  client: pg.ClientBase,
  wrong: readonly string[],
): Promise<void> {
  const names = `ARRAY[${wrong.map((name) => `'${name}'`).join(', ')}]::text[]`;
  const needed = `
    SELECT name, accepted[1] AS value FROM ${EXPECTED}
     WHERE NOT is_required AND current_setting(name, true) IS NOT NULL
       AND (cardinality(accepted) = 1 OR name = ANY (${names}))`;
  const { rows } = await client.query(`
    SELECT FROM pg_db_role_setting
     WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = session_user)
       AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND setconfig @> ARRAY(SELECT name || '=' || value FROM (${needed}) AS needed)`);
  if (rows.length > 0) return;
  await client.query(`
    BEGIN READ WRITE;
    DO $store$
    DECLARE
      v_one record;
    BEGIN
      PERFORM pg_advisory_xact_lock(${LOCK}::bigint);
      FOR v_one IN ${needed} LOOP
        EXECUTE format('ALTER ROLE SESSION_USER IN DATABASE %I SET %s = %L',
                       current_database(), v_one.name, v_one.value);
      END LOOP;
    END $store$;
    COMMIT;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = session_user AND pid <> pg_backend_pid()
       AND (state = 'idle' OR ${wrong.length > 0})`);
}

function rowsOf(settings: Settings, isRequired: boolean): string {
  const literals = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
  return Object.entries(settings)
    .map(([name, accepted]) => `('${name}', ARRAY[${literals(accepted)}], ${isRequired})`)
    .join(', ');
}
