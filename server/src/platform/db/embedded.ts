import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import type { Database, Statement } from './database.ts';
import { DatabaseDamaged, prepareDataFolder } from './data-folder.ts';
import { lockDirectory } from './directory-lock.ts';
import { EmbeddedPool } from './embedded-pool.ts';
import { EmbeddedMaintenance } from './embedded-maintenance.ts';
import type { DB } from './schema.ts';

/** Sampling a table for statistics takes a tenth of the usual time, during which every request waits. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'default_statistics_target=10'];

/**
 * The embedded database in a folder. It does not fsync: data survives a crash of the process, but not a power failure.
 * @param onWarning called with problems that could not be fixed and do not prevent a start
 * @throws DirectoryInUse when another process uses the folder, DataFolderUnusable, DatabaseDamaged
 */
export async function openEmbedded(
  dataDir: string,
  onWarning: (message: string) => void = () => undefined,
): Promise<Database> {
  await prepareDataFolder(dataDir, onWarning);
  const lock = lockDirectory(dataDir);
  try {
    const pglite = await PGlite.create(join(dataDir, 'database'), { startParams: START_PARAMS });
    return kept(new EmbeddedPool(pglite), onWarning, () => lock.release());
  } catch (error) {
    lock.release();
    throw new DatabaseDamaged(dataDir, error);
  }
}

/** The embedded database in memory, for tools that store nothing. */
export async function openInMemory(): Promise<Database> {
  return database(new EmbeddedPool(await PGlite.create()));
}

/** The embedded database with its maintenance. */
function kept(
  pool: EmbeddedPool,
  onWarning: (message: string) => void,
  onClosed: () => void,
): Database {
  const maintenance = new EmbeddedMaintenance(pool, {
    onFailed: (error) =>
      onWarning(`the maintenance of the embedded database failed: ${String(error)}`),
  });
  maintenance.start();
  const opened = database(pool);
  return {
    ...opened,
    async close() {
      await maintenance.stop();
      await opened.close();
      onClosed();
    },
  };
}

function database(pool: EmbeddedPool): Database {
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    engine: 'embedded',
    connections: () => ({}),
    kysely,
    // In the same process: there is no network that could fail.
    kyselyFor: () => kysely,
    async run<Row>(one: Statement, values: readonly unknown[]) {
      // A statement that reads much is planned for its values.
      return one.takesLong ? (await pool.query<Row>(one.text, values)).rows : pool.run(one, values);
    },
    async watch(channel, onMessage) {
      const unlisten = await pool.listen(channel, onMessage);
      return { isConnected: () => true, stop: unlisten };
    },
    close: () => pool.end(),
  };
}
