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
