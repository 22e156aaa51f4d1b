import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildService as build } from './build.mjs';
import { buildFolder, isBuilt } from './sources.mjs';

const FILES = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'contract/package.json': '{ "type": "module" }',
  'contract/src/ids.ts': '',
  'server/package.json': '{ "type": "module" }',
  'server/src/start.ts': `
    import { word } from 'a-package';
    import { NUMBER } from './number.ts';
    export const said: string = word + NUMBER;
    export const place = import.meta.url;
    export const schema = SCHEMA_VERSION;
    export const later = async () => (await import('./later.ts')).LATER;`,
  'server/migrations/0001_first.sql': 'SELECT 1;',
  'server/sql/contract.txt': '',
  'server/sql/area/kw_first.sql': '',
  'server/src/platform/db/schema-files.ts': `
    import { readFileSync } from 'node:fs';
    const first = new URL('../../../migrations/0001_first.sql', import.meta.url);
    export const readSchemaFiles = () => ({ version: readFileSync(first, 'utf8') });`,
  'server/src/platform/db/prepare.ts': '',
  'server/src/number.ts': 'export const NUMBER: number = 1;',
  'server/src/later.ts': 'export const LATER: number = 1;',
  'server/src/number.test.ts': 'no test is built',
  'tools/setup/build.mjs': '',
  'tools/setup/prepared-database.mjs': '',
  'node_modules/a-package/package.json': '{ "name": "a-package", "main": "index.js" }',
  'node_modules/a-package/index.js': `exports.word = 'one';`,
};

interface Built {
  readonly said: string;
  readonly place: string;
  readonly schema: string;
  readonly later: () => Promise<number>;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function newRoot(t: TestContext): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keywright-build-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(FILES)) write(root, path, text);
  return root;
}

function buildService(root: string): Promise<void> {
  return build(root, (message) => assert.fail(message));
}

/** Changes a file but not its size and times. */
function changeUnseen(path: string, text: string): void {
  const { size, atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
  assert.equal(statSync(path).size, size);
}

let loads = 0;

/** Loads the build as a process that starts now does. */
async function load(root: string): Promise<Built> {
  const { href } = pathToFileURL(join(buildFolder(root), 'start.mjs'));
  loads += 1;
  return (await import(`${href}?${loads}`)) as Built;
}

/** Ages the files, so that only the last build can still be in use. */
function makeOld(root: string): void {
  for (const name of readdirSync(buildFolder(root))) {
    utimesSync(join(buildFolder(root), name), 0, 0);
  }
}

describe('a build', () => {
  it('A build is current until the content of a source changes, whatever its size and time', async (t) => {
    const root = newRoot(t);
    assert.equal(isBuilt(root), false);
    await buildService(root);
    assert.equal(isBuilt(root), true);
    assert.equal((await load(root)).said, 'one1');
    changeUnseen(join(root, 'server/src/number.ts'), 'export const NUMBER: number = 2;');
    assert.equal(isBuilt(root), false);
    await buildService(root);
    assert.equal((await load(root)).said, 'one2');
  });

  const changes: Record<string, (root: string) => void> = {
    'a function of the database': (root) =>
      write(root, 'server/sql/area/kw_first.sql', '-- another'),
    'a text': (root) => write(root, 'server/src/platform/texts/en/mail.json', '{}'),
    'the lock file': (root) => changeUnseen(join(root, 'package-lock.json'), '[]'),
    'how it is made': (root) => write(root, 'tools/setup/build.mjs', '// another'),
    'a source that is gone': (root) => rmSync(join(root, 'server/src/later.ts')),
    'a source that is new': (root) => write(root, 'contract/src/new.ts', ''),
    'what it says of itself': (root) => write(root, 'server/dist/build.json', '{'),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`A build is not current after a change of ${what}`, async (t) => {
      const root = newRoot(t);
      await buildService(root);
      change(root);
      assert.equal(isBuilt(root), false);
    });
  }

  it('A build includes the schema of its files and does not read them to get it', async (t) => {
    const root = newRoot(t);
    await buildService(root);
    rmSync(join(root, 'server/migrations'), { recursive: true });
    assert.equal((await load(root)).schema, 'SELECT 1;');
  });

  it('A build remains current after a change of a test, and when the folder is moved', async (t) => {
    const root = newRoot(t);
    await buildService(root);
    write(root, 'server/src/number.test.ts', 'another');
    const moved = join(root, 'moved');
    const isInside = (path: string) => path.startsWith(moved);
    cpSync(root, `${root}-moved`, { recursive: true, filter: (path) => !isInside(path) });
    t.after(() => rmSync(`${root}-moved`, { recursive: true }));
    assert.equal(isBuilt(`${root}-moved`), true);
    const { place } = await load(`${root}-moved`);
    assert.equal(place, pathToFileURL(`${root}-moved/server/src/start.ts`).href);
  });

  it('A build of a source with an error fails, and leaves no build that counts as current', async (t) => {
    const root = newRoot(t);
    await buildService(root);
    write(root, 'server/src/number.ts', 'export const NUMBER = ;');
    await assert.rejects(buildService(root), /number\.ts/);
    assert.equal(isBuilt(root), false);
  });

  it('A build without a prepared database is complete, and a warning reports it', async (t) => {
    const root = newRoot(t);
    write(root, 'server/src/platform/db/prepare.ts', "throw new Error('no space')");
    const warnings: string[] = [];
    await build(root, (message) => warnings.push(message));
    assert.equal(isBuilt(root), true);
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /^the embedded database was not prepared: .*no space/s);
  });

  it('A build has each string in one piece, and knows the source line of everything after it', async (t) => {
    const root = newRoot(t);
    const text = 'One "sentence" with a \\\\ in it.';
    const source = `export const said = '${text}';\n\n\nexport const place = fail();\nfunction fail() { return 'here'; }`;
    write(root, 'server/src/start.ts', source);
    await buildService(root);
    const built = readFileSync(join(buildFolder(root), 'start.mjs'), 'utf8').split('\n');
    assert.ok(built.some((line) => line.includes(text)));
    const places = JSON.parse(readFileSync(join(buildFolder(root), 'start.mjs.json'), 'utf8'));
    const lineOf = (part: string) =>
      places.lines[2 * built.findIndex((line) => line.includes(part)) + 1];
    assert.deepEqual([text, 'fail()', 'here'].map(lineOf), [1, 4, 5]);
    assert.equal(places.lines.length, 2 * built.length);
  });

  it('A build keeps files that running processes load later, however old they are', async (t) => {
    const root = newRoot(t);
    await buildService(root);
    const first = await load(root);
    makeOld(root);
    write(root, 'server/src/later.ts', 'export const LATER: number = 2;');
    await buildService(root);
    assert.equal(await (await load(root)).later(), 2);
    assert.equal(await first.later(), 1);
    const files = readdirSync(buildFolder(root)).length;
    makeOld(root);
    write(root, 'server/src/later.ts', 'export const LATER: number = 3;');
    await buildService(root);
    assert.equal(readdirSync(buildFolder(root)).length, files, 'the build before the last is gone');
  });
});

it('The setup loads no code of a build, for which the system’s Node.js can be too old', () => {
  const pending = [join(import.meta.dirname, '../setup.mjs')];
  const loaded = new Set<string>();
  for (const file of pending) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g))
      pending.push(join(dirname(file), path));
  }
  const names = [...loaded].map((file) => relative(join(import.meta.dirname, '..'), file));
  assert.deepEqual(
    names.filter((name) => /build|\.ts$|^\.\./.test(name)),
    [],
  );
  assert.ok(names.includes('setup/npm.mjs'));
});
