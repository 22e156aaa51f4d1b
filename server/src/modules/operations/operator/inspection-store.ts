import { type Database, statement } from '../../../platform/db/database.ts';
import { STORED_SETTINGS, type StoredSetting } from '../../../platform/db/session-settings.ts';

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

const storedSettings = statement<StoredSetting>('kw_doctor_settings', STORED_SETTINGS);

/** Settings of the role, the database or both that the service overrides. */
export function findStoredSettings(database: Database): Promise<StoredSetting[]> {
  return database.run(storedSettings, []);
}
