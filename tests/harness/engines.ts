import type { Database } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { preparedDataFolder } from './data-folder.ts';
import { createDatabase } from './database.ts';

/** A separate, migrated database, as the service uses it. */
export interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

/** Both engines, for guarantees that apply to each. */
export const ENGINES: Readonly<Record<string, () => Promise<Opened>>> = {
  async PostgreSQL() {
    const created = await createDatabase();
    const database = openPostgres(created.url, () => {});
    return {
      database,
      async close() {
        await database.close();
        await created.drop();
      },
    };
  },
  async PGlite() {
    const database = await openEmbedded(await preparedDataFolder(), () => {});
    return { database, close: () => database.close() };
  },
};
