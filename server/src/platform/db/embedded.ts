import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import { machineClock } from '../clock.ts';
import type { Database, Statement } from './database.ts';
import { createWhole, DatabaseDamaged, findFault, prepareDataFolder } from './data-folder.ts';
import { DirectoryInUse, lockDirectory } from './directory-lock.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { EmbeddedPool } from './embedded-pool.ts';
import { EmbeddedMaintenance } from './embedded-maintenance.ts';
import { OpenFolder } from './open-folder.ts';
import type { DB } from './schema.ts';

/** Sampling tables for statistics then takes a tenth of the usual time, during which every request waits. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'default_statistics_target=10'];

/** The prepared database that the build makes. */
export const PREPARED_DATABASE = fileURLToPath(
  new URL('../../../dist/prepared-database.zst', import.meta.url),
);

/**
 * Opens the embedded database in a folder. It does not fsync: data survives a crash of the process, but not a power
 * failure.
 * @param onWarning called with problems that could not be fixed and do not prevent a start
 * @param prepared file of a prepared database to unpack as a new one, if it was made for this version; default: none
 * @param onFault called once with each fault of the open database
 * @throws DirectoryInUse when another process uses the folder, DataFolderUnusable, DatabaseMissing, DatabaseDamaged
 */
export async function openEmbedded(
  dataDir: string,
  onWarning: (message: string) => void = () => undefined,
  prepared?: string,
  onFault: (message: string) => void = onWarning,
): Promise<Database> {
  await prepareDataFolder(dataDir, onWarning);
  const lock = lockFolder(dataDir);
  try {
    await createWhole(dataDir, 'database', async (folder) => {
      if (await unpack(prepared, folder, onWarning)) return;
      const pglite = await PGlite.create(folder, { startParams: START_PARAMS });
      await pglite.close();
    });
    const engine = await EmbeddedEngine.start({
      start: () => open(dataDir),
      openFolder: () => new OpenFolder(dataDir, onFault, onWarning),
      findFault: () => findFault(dataDir),
      onEnded: onFault,
      onRestarted: onWarning,
    });
    return maintained(new EmbeddedPool(engine), onWarning, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Locks the folder. SQLite does not report why a file cannot be opened. @throws DirectoryInUse, DataFolderUnusable */
function lockFolder(dataDir: string) {
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    throw findFault(dataDir) ?? error;
  }
}

/** Unpacks a prepared database. The code is loaded on demand, since most starts find a database. */
async function unpack(
  prepared: string | undefined,
  folder: string,
  onWarning: (message: string) => void,
): Promise<boolean> {
  if (prepared === undefined) return false;
  const { unpackDatabase } = await import('./prepared-database.ts');
  return unpackDatabase(prepared, folder, onWarning);
}

/** @throws DataFolderUnusable if the file system keeps it from opening, DatabaseDamaged otherwise */
async function open(dataDir: string): Promise<PGlite> {
  try {
    return await PGlite.create(join(dataDir, 'database'), { startParams: START_PARAMS });
  } catch (error) {
    throw findFault(dataDir) ?? new DatabaseDamaged(dataDir, error);
  }
}

/** The embedded database in memory, for tools that store nothing. */
export async function openInMemory(): Promise<Database> {
  return (await createInMemory()).database;
}

/** The folder where PGlite stores the files of a database in memory. */
export const FOLDER_IN_MEMORY = '/pglite/data/';

/** Creates an embedded database in memory. Returns it with its files, which are complete after it is closed. */
export async function createInMemory() {
  const pglite = await PGlite.create();
  const engine = await EmbeddedEngine.start({ start: () => Promise.resolve(pglite) });
  return { database: database(new EmbeddedPool(engine)), files: pglite.Module.FS };
}

/** Returns the embedded database with its maintenance running. */
function maintained(
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
    clock: machineClock,
    connections: () => ({}),
    kysely,
    // No longer timeout is needed: the database is in the same process, so there is no network that could fail.
    kyselyFor: () => kysely,
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      // A statement that reads much data is planned for its actual values.
      return statement.takesLong
        ? (await pool.query<Row>(statement.text, values)).rows
        : pool.run(statement, values);
    },
    async watch(channel, onMessage, onGap) {
      const unlisten = await pool.listen(channel, onMessage, onGap);
      return { isConnected: () => true, stop: unlisten };
    },
    fault: () => pool.fault(),
    close: () => pool.end(),
  };
}
