import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { databaseDirectory } from '@keywright/tests/harness/temporary';
import { createWhole, prepareDataFolder } from './data-folder.ts';
import { announceOwner } from './directory-lock.ts';
import { openEmbedded } from './embedded.ts';

let parent: string;
let folder: string;
let warnings: string[];

beforeEach(async () => {
  parent = await databaseDirectory('data-folder');
  folder = join(parent, 'data');
  warnings = [];
});

function prepare(path = folder): Promise<void> {
  return prepareDataFolder(path, (message) => warnings.push(message));
}

/** The minimum that counts as a database. */
function writeDatabase(): void {
  mkdirSync(join(folder, 'database'));
  writeFileSync(join(folder, 'database', 'PG_VERSION'), '18');
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('a data folder', () => {
  test('A data folder, new or existing, is private to its owner, and so is its key', async () => {
    await prepare();
    assert.equal(modeOf(folder), 0o700);
    chmodSync(folder, 0o755);
    writeDatabase();
    const key = join(folder, 'master.key');
    writeFileSync(key, 'x');
    chmodSync(key, 0o644);
    await prepare();
    assert.deepEqual([modeOf(folder), modeOf(key)], [0o700, 0o600]);
    assert.deepEqual(warnings, []);
  });

  test('A data folder that contains other data keeps its permissions, with a warning', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'notes.txt'), 'of another program');
    writeDatabase();
    chmodSync(join(folder, 'database'), 0o755);
    await prepare();
    assert.deepEqual([modeOf(folder), modeOf(join(folder, 'database'))], [0o777, 0o700]);
    assert.match(warnings.join(), /is accessible to others and contains other files/);
  });

  test('A data folder that is a file, or below one, is rejected by name', async () => {
    writeFileSync(folder, '');
    for (const path of [folder, join(folder, 'below')]) {
      await assert.rejects(prepare(path), {
        name: 'DataFolderUnusable',
        message: `The data folder ${path} cannot be used: its path is a file. Choose another one with KEYWRIGHT_DATA_DIR.`,
      });
    }
  });

  test(
    'A data folder that is not writable is rejected',
    { skip: !existsSync('/sys/kernel') },
    async () => {
      await assert.rejects(
        prepare('/sys/kernel/keywright'),
        /\/sys\/kernel\/keywright cannot be used/,
      );
    },
  );

  for (const name of ['master.key', 'lock', 'database', 'database.draft']) {
    test(`A data folder with a named pipe as ${name} is rejected without blocking`, async () => {
      mkdirSync(folder);
      execFileSync('mkfifo', [join(folder, name)]);
      await assert.rejects(
        prepare(),
        new RegExp(`${name} in it is not a (file|folder)\\. Move it`),
      );
    });
  }
});

test('A data folder that cannot be filled does not exist afterward, and takes no space', async () => {
  await prepare();
  const full = createWhole(folder, 'database', async (draft) => {
    mkdirSync(draft);
    writeFileSync(join(draft, 'PG_VERSION'), '17');
    throw new Error('no space left on device');
  });
  await assert.rejects(full, /data folder \S+ cannot be used: no space left on device\. Choose/);
  assert.deepEqual(readdirSync(folder), []);
});

describe('a data folder that has lost its database is rejected, and no new one is created:', () => {
  const losses: Readonly<Record<string, () => void>> = {
    'the folder "database" was deleted, and the master key is there': () => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'master.key'), 'x');
    },
    'the folder "database" was deleted, and a service had announced itself': () => {
      mkdirSync(folder);
      announceOwner(folder, 'http://localhost:8080');
    },
    'the folder "database" was emptied': () => {
      mkdirSync(join(folder, 'database'), { recursive: true });
    },
  };
  for (const [loss, lose] of Object.entries(losses)) {
    test(loss, async () => {
      lose();
      const left = readdirSync(folder, { recursive: true });
      for (let round = 0; round < 2; round += 1) {
        await assert.rejects(openEmbedded(folder), {
          name: 'DatabaseMissing',
          message:
            /no longer contains its database: .*No new database was created\. Restore the folder from a backup, .*; to start over, move the data folder away\.$/,
        });
      }
      assert.deepEqual(readdirSync(folder, { recursive: true }), left);
    });
  }
});

test('A damaged embedded database is reported as damaged, and its folder is released', async () => {
  mkdirSync(join(folder, 'database', 'base'), { recursive: true });
  writeFileSync(join(folder, 'database', 'PG_VERSION'), 'garbage');
  for (let round = 0; round < 2; round += 1) {
    await assert.rejects(openEmbedded(folder), {
      name: 'DatabaseDamaged',
      message:
        /^The embedded database in \S+ cannot be opened: .*\. It is damaged, or was written by another version of PostgreSQL\. Restore the folder from a backup/,
    });
  }
});
