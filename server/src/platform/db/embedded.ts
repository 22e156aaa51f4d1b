import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import type { Database, Statement } from './database.ts';
import { DatabaseDamaged, prepareDataFolder } from './data-folder.ts';
import { lockDirectory } from './directory-lock.ts';
import { EmbeddedPool } from './embedded-pool.ts';
import type { DB } from './schema.ts';

/**
 * The embedded database in a folder. It is never flushed to the disk itself: it survives the death of the
 * process, not the loss of power.
 * @param onWarning told of what could not be mended and does not prevent a start
 * @throws DirectoryInUse when another process works in that folder, DataFolderUnusable, DatabaseDamaged
 */
export async function openEmbedded(
  dataDir: string,
  onWarning: (message: string) => void = () => undefined,
): Promise<Database> {
  await prepareDataFolder(dataDir, onWarning);
  const lock = lockDirectory(dataDir);
  try {
    return database(await PGlite.create(join(dataDir, 'database')), () => lock.release());
  } catch (error) {
    lock.release();
    throw new DatabaseDamaged(dataDir, error);
  }
}

/** The embedded database in memory, for tools that need nothing kept. */
export async function openInMemory(): Promise<Database> {
  return database(await PGlite.create(), () => undefined);
}

function database(pglite: PGlite, onClosed: () => void): Database {
  const pool = new EmbeddedPool(pglite);
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    engine: 'embedded',
    connections: () => ({}),
    kysely,
    // In the same process: nothing that could go silent.
    kyselyFor: () => kysely,
    async run<Row>(one: Statement, values: readonly unknown[]) {
      return (await pool.query<Row>(one.text, values)).rows;
    },
    async watch(channel, onMessage) {
      const unlisten = await pool.listen(channel, onMessage);
      return { isHeard: () => true, stop: unlisten };
    },
    async close() {
      await pool.end();
      onClosed();
    },
  };
}
