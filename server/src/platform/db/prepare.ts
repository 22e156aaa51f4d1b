// Entry point of the build: `prepare.ts FILE` writes a prepared embedded database to the file, unless the file already
// has one of this version.

import { createInMemory, FOLDER_IN_MEMORY } from './embedded.ts';
import { migrate } from './migrate.ts';
import { isPrepared, packDatabase, type PackedFile } from './prepared-database.ts';

/** Writes a prepared database of this version to the file. */
export async function prepareDatabase(file: string): Promise<void> {
  // Preparing in memory takes two thirds of the time.
  const { database, files } = await createInMemory();
  await migrate(database);
  await database.close();
  packDatabase([...listFiles(files, '')], file);
}

type InMemory = Awaited<ReturnType<typeof createInMemory>>['files'];

/** @param folder relative to the database's folder, with a slash at the end unless it is empty */
function* listFiles(files: InMemory, folder: string): Generator<PackedFile> {
  const names = files.readdir(FOLDER_IN_MEMORY + folder) as string[];
  for (const name of names
    .filter((candidate) => candidate !== '.' && candidate !== '..')
    .toSorted()) {
    const path = folder + name;
    const place = FOLDER_IN_MEMORY + path;
    if (files.isDir(files.stat(place).mode)) {
      yield { path };
      yield* listFiles(files, `${path}/`);
    } else {
      yield { path, content: files.readFile(place) };
    }
  }
}

if (import.meta.main) {
  const [, , file = ''] = process.argv;
  if (!isPrepared(file)) await prepareDatabase(file);
}
