import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { preparedDataFolder } from '@keywright/tests/harness/data-folder';
import { type Database, statement } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { isUnavailable } from './failures.ts';

const insert = statement<{ n: number }>('insert', 'INSERT INTO notes VALUES (1) RETURNING n');

let folder: string;
let database: Database;
const faults: string[] = [];
const warnings: string[] = [];

before(async () => {
  folder = await preparedDataFolder();
  database = await openEmbedded(
    folder,
    (message) => warnings.push(message),
    undefined,
    (message) => faults.push(message),
  );
  await database.run(statement('create', 'CREATE TABLE notes (n integer)'), []);
});

after(() => database.close());

function write(): Promise<unknown> {
  return database.run(insert, []);
}

function writeInTransaction(): Promise<unknown> {
  return database.kysely.transaction().execute((tx) => tx.deleteFrom('nodes').execute());
}

async function requireRefused(): Promise<void> {
  for (const attempt of [write, writeInTransaction, write]) {
    await assert.rejects(attempt(), (error) => {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'DataFolderGone');
      assert.match(error.message, /was deleted, moved or replaced while the service was running/);
      return isUnavailable(error);
    });
  }
  assert.deepEqual(database.fault?.()?.code, 'data_folder');
}

/** Each removes the folder and returns a function that restores it. */
const DISAPPEARANCES: Readonly<Record<string, () => () => void>> = {
  'the folder is moved': () => move(folder),
  'the folder of the database in it is moved': () => move(join(folder, 'database')),
  'its files are moved': () => {
    const [place, elsewhere] = [join(folder, 'database'), join(folder, 'files')];
    mkdirSync(elsewhere);
    moveFiles(place, elsewhere);
    return () => {
      moveFiles(elsewhere, place);
      rmSync(elsewhere, { recursive: true });
    };
  },
  'the folder is replaced by a copy': () => {
    const putBack = move(folder);
    cpSync(`${folder}.moved`, folder, { recursive: true });
    return () => {
      rmSync(folder, { recursive: true });
      putBack();
    };
  },
  'the lock file is moved, so that another process could open the database': () =>
    move(join(folder, 'lock')),
};

function move(path: string): () => void {
  renameSync(path, `${path}.moved`);
  return () => renameSync(`${path}.moved`, path);
}

function moveFiles(from: string, to: string): void {
  for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name));
}

for (const [event, takeAway] of Object.entries(DISAPPEARANCES)) {
  test(`No statement of an open database succeeds after ${event}, until it is back`, async () => {
    await write();
    const [faultsBefore, warningsBefore] = [faults.length, warnings.length];
    const putBack = takeAway();
    await requireRefused();
    putBack();
    await write();
    await writeInTransaction();
    assert.equal(database.fault?.(), undefined);
    assert.equal(faults.length, faultsBefore + 1, 'one error in the log');
    assert.equal(warnings.length, warningsBefore + 1);
    assert.match(warnings.at(-1) ?? '', /is back/);
  });
}

test('A transaction during which the data folder is moved is not acknowledged', async () => {
  let putBack = () => {};
  const transaction = database.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('nodes').execute();
    putBack = move(folder);
  });
  await assert.rejects(transaction, { name: 'DataFolderGone' });
  putBack();
  await write();
});

test('A database whose folder was replaced closes without writing to the new one', async () => {
  const lost = await preparedDataFolder();
  const open = await openEmbedded(lost);
  const putBack = move(lost);
  cpSync(`${lost}.moved`, lost, { recursive: true });
  const control = () => readFileSync(join(lost, 'database/global/pg_control'));
  const copied = control();
  await assert.rejects(open.run(statement('one', 'SELECT 1 AS one'), []));
  await open.close();
  assert.deepEqual(control(), copied);
  rmSync(lost, { recursive: true });
  putBack();
});

test('No statement succeeds after the data folder is deleted', async () => {
  rmSync(folder, { recursive: true });
  await requireRefused();
});
