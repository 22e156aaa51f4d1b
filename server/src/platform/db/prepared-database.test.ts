import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, describe, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { clusterOf, preparedDatabase } from '@keywright/tests/harness/data-folder';
import { inheritedEnvironment } from '@keywright/tests/harness/child-environment';
import { databaseDirectory } from '@keywright/tests/harness/temporary';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { isPrepared, unpackDatabase } from './prepared-database.ts';
import { findSchemaState } from './schema-state.ts';

let prepared: string;
let folder: string;
let warnings: string[];
const warn = (message: string) => void warnings.push(message);

before(async () => {
  prepared = await preparedDatabase();
});

beforeEach(async () => {
  folder = await databaseDirectory('data');
  warnings = [];
});

/** Writes a changed copy of the prepared database. */
async function changed(change: (file: Buffer) => Buffer): Promise<string> {
  const file = join(await databaseDirectory('changed'), 'prepared-database.zst');
  writeFileSync(file, change(readFileSync(prepared)));
  return file;
}

/** The purpose is in the list of files. */
function withPurpose(pattern: RegExp, replacement: string): (file: Buffer) => Buffer {
  return (file) => {
    const text = zstdDecompressSync(file).toString('latin1');
    assert.match(text, pattern);
    return zstdCompressSync(Buffer.from(text.replace(pattern, replacement), 'latin1'));
  };
}

/** Simulates a process that is killed while writing the 700th file of the database. */
const KILLED = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const [, url, folder, prepared] = process.argv;
  const write = fs.writeFileSync;
  let written = 0;
  fs.writeFileSync = (path, ...rest) => {
    if (String(path).includes('database') && (written += 1) === 700) process.kill(process.pid, 'SIGKILL');
    return write(path, ...rest);
  };
  syncBuiltinESMExports();
  const { openEmbedded } = await import(url);
  await openEmbedded(folder, () => {}, prepared);
`;

describe('a prepared database', () => {
  test('A prepared database is unpacked by a first start and leaves nothing to migrate', async () => {
    const database = await openEmbedded(folder, warn, prepared);
    assert.deepEqual(await migrate(database), { applied: [], functions: 0, isAhead: false });
    const { pending, functions, isLatest } = await findSchemaState(database);
    assert.deepEqual([pending, functions.changed, isLatest], [[], [], true]);
    await database.close();
    const other = await databaseDirectory('data');
    await (await openEmbedded(other, warn, prepared)).close();
    assert.equal(await clusterOf(folder), await clusterOf(other));
    assert.deepEqual(warnings, []);
  });

  test('A prepared database does not replace an existing database', async () => {
    await (await openEmbedded(folder, warn, prepared)).close();
    const marker = join(folder, 'database/kept');
    writeFileSync(marker, '');
    await (await openEmbedded(folder, warn, prepared)).close();
    assert.ok(existsSync(marker));
  });

  const UNUSABLE: readonly (readonly [
    title: string,
    change: (file: Buffer) => Buffer,
    warning: RegExp,
  ])[] = [
    [
      'of other migrations or functions',
      withPurpose(/schema [0-9a-f]{8}/, 'schema 00000000'),
      /^$/,
    ],
    ['of another version of PGlite', withPurpose(/PGlite [\d.]+/, 'PGlite 0.0.1'), /^$/],
    [
      'that is truncated',
      (file) => file.subarray(0, file.length / 2),
      /cannot be used: unexpected/,
    ],
    ['that is altered', (file) => Buffer.from(file.fill(7, 900_000, 900_100)), /cannot be used/],
    ['that is empty', () => Buffer.alloc(0), /cannot be used/],
  ];
  for (const [title, change, warning] of UNUSABLE) {
    test(`${title} is not unpacked`, async () => {
      const file = await changed(change);
      const target = join(folder, 'database');
      assert.equal(unpackDatabase(file, target, warn), false);
      assert.equal(existsSync(target), false);
      assert.match(warnings.join(), warning);
      assert.equal(isPrepared(file), false);
    });
  }

  test('A prepared database that is missing is not unpacked and causes no warning', () => {
    assert.equal(unpackDatabase(join(folder, 'none'), join(folder, 'database'), warn), false);
    assert.deepEqual(warnings, []);
  });

  test('A prepared database is unpacked again after a process was killed while it unpacked', async () => {
    const { href } = new URL('embedded.ts', import.meta.url);
    const args = ['--input-type=module', '-e', KILLED, href, folder, prepared];
    const { signal } = spawnSync(process.execPath, args, { env: inheritedEnvironment() });
    assert.equal(signal, 'SIGKILL');
    assert.ok(existsSync(join(folder, 'database.draft/PG_VERSION')));
    assert.equal(existsSync(join(folder, 'database')), false);
    const database = await openEmbedded(folder, warn, prepared);
    assert.deepEqual((await migrate(database)).applied, []);
    await database.close();
    assert.equal(existsSync(join(folder, 'database.draft')), false);
  });
});

test('A first start without a usable prepared database removes the draft of a killed one and runs initdb and all migrations', async () => {
  mkdirSync(join(folder, 'database.draft/base'), { recursive: true });
  writeFileSync(join(folder, 'database.draft/PG_VERSION'), '17');
  const truncated = await changed((file) => file.subarray(0, file.length / 2));
  const database = await openEmbedded(folder, warn, truncated);
  const { applied } = await migrate(database);
  assert.ok(applied.includes('0001_tenants'));
  assert.equal((await findSchemaState(database)).isLatest, true);
  await database.close();
  assert.match(warnings.join(), /^the prepared database \S+ cannot be used: /);
  assert.equal(existsSync(join(folder, 'database.draft')), false);
});
