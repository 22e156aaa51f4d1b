import { type Database, statement } from '../../../platform/db/database.ts';

// Queries as the user that the service connects as, without SET ROLE: the roles may be missing.

const serverVersion = statement<{ readonly name: string; readonly number: number }>(
  'kw_doctor_version',
  `SELECT current_setting('server_version') AS name,
          current_setting('server_version_num')::integer AS number`,
);

/** `number` is 180002 for 18.2. */
export async function findServerVersion(
  database: Database,
): Promise<{ readonly name: string; readonly number: number }> {
  const [row] = await database.run(serverVersion, []);
  return row ?? { name: 'unknown', number: 0 };
}

const clock = statement<{ readonly at: number }>(
  'kw_doctor_clock',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS at',
);

/** Milliseconds since the epoch, by the clock of the database. */
export async function findDatabaseTime(database: Database): Promise<number> {
  const [row] = await database.run(clock, []);
  return row?.at ?? Number.NaN;
}

export interface RoleAttributes {
  readonly name: string;
  readonly is_superuser: boolean;
  readonly bypasses_rls: boolean;
  /** Whether the service's own user may take it. */
  readonly is_usable: boolean;
  /** Whether that user, not a superuser, inherits its privileges. */
  readonly is_inherited: boolean;
}

const roles = statement<RoleAttributes>(
  'kw_doctor_roles',
  `SELECT rolname AS name, rolsuper AS is_superuser, rolbypassrls AS bypasses_rls,
          pg_has_role(rolname, 'MEMBER') AS is_usable,
          pg_has_role(rolname, 'USAGE') AND current_setting('is_superuser') = 'off' AS is_inherited
     FROM pg_roles WHERE rolname = ANY ($1)`,
);

export function listRoles(database: Database, names: readonly string[]): Promise<RoleAttributes[]> {
  return database.run(roles, [[...names]]);
}
