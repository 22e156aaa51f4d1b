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
