import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPrepared, unpackDatabase } from '@keywright/server/platform/db/prepared-database';
import { copyOrMake } from './prepared-clusters.ts';
import { databaseDirectory, temporaryDirectory } from './temporary.ts';

let prepared: Promise<string> | undefined;

/** The prepared database of the sources: the build's, or one that is made once per test run. */
export function preparedDatabase(): Promise<string> {
  prepared ??= findOrPrepare();
  return prepared;
}

async function findOrPrepare(): Promise<string> {
  // Imported on demand, because it loads PGlite.
  const { PREPARED_DATABASE } = await import('@keywright/server/platform/db/embedded');
  if (isPrepared(PREPARED_DATABASE)) return PREPARED_DATABASE;
  const folder = await temporaryDirectory('prepared');
  const fileIn = (parent: string) => join(parent, 'prepared-database.zst');
  await copyOrMake('prepared-database', folder, async (made) => {
    const { prepareDatabase } = await import('@keywright/server/platform/db/prepare');
    await prepareDatabase(fileIn(made));
  });
  return fileIn(folder);
}

/** A new data folder with an embedded database that is migrated, and otherwise empty. */
export async function preparedDataFolder(): Promise<string> {
  const folder = await databaseDirectory('data');
  const fail = (message: string) => assert.fail(message);
  assert.ok(unpackDatabase(await preparedDatabase(), join(folder, 'database'), fail));
  return folder;
}

/** The embedded database's system identifier, which initdb generates. */
export async function clusterOf(dataFolder: string): Promise<bigint> {
  const control = await readFile(join(dataFolder, 'database/global/pg_control'));
  return control.readBigUInt64LE(0);
}
