import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundlesIn, findBundle } from '../../server/src/bundle.mjs';
import { makeBundle } from './bundle.mjs';

const FILES = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'server/src/main.ts': `
    import { word } from 'a-package';
    import { NUMBER } from './number.ts';
    export const said: string = word + NUMBER;
    export const place = import.meta.url;`,
  'server/src/number.ts': 'export const NUMBER: number = 1;',
  'node_modules/a-package/package.json': '{ "name": "a-package", "main": "index.js" }',
  'node_modules/a-package/index.js': `exports.word = 'one';`,
};

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function newRoot(t: TestContext): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keywright-bundle-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(FILES)) write(root, path, text);
  return root;
}

/** Changes a file so that its size and its times tell nothing. */
function changeUnseen(path: string, text: string): void {
  const { size, atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
  assert.equal(statSync(path).size, size);
}

async function load(root: string): Promise<{ said: string; place: string }> {
  const entry = findBundle(root);
  assert.ok(entry !== undefined, 'there is a bundle');
  return (await import(pathToFileURL(entry).href)) as { said: string; place: string };
}

describe('a bundle', () => {
  it('is used until a source says something else, whatever its size and time', async (t) => {
    const root = newRoot(t);
    assert.equal(findBundle(root), undefined);
    await makeBundle(root);
    assert.equal((await load(root)).said, 'one1');
    changeUnseen(join(root, 'server/src/number.ts'), 'export const NUMBER: number = 2;');
    assert.equal(findBundle(root), undefined);
    await makeBundle(root);
    assert.equal((await load(root)).said, 'one2');
  });

  const changes: Record<string, (root: string) => void> = {
    'a file of a package': (root) =>
      write(root, 'node_modules/a-package/index.js', `exports.word = 'another';`),
    'what a package says of itself': (root) =>
      write(root, 'node_modules/a-package/package.json', '{ "main": "other.js" }'),
    'the lock file': (root) => changeUnseen(join(root, 'package-lock.json'), '[]'),
    'a source that is gone': (root) => rmSync(join(root, 'server/src/number.ts')),
    'a file of the bundle': (root) => {
      const folder = readdirSync(bundlesIn(root)).find((name) => name !== 'bundle.json') ?? '';
      writeFileSync(join(bundlesIn(root), folder, 'main.mjs'), '');
    },
    'what tells of it': (root) => writeFileSync(join(bundlesIn(root), 'bundle.json'), '{'),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is used no longer after a change of ${what}`, async (t) => {
      const root = newRoot(t);
      await makeBundle(root);
      assert.ok(findBundle(root));
      change(root);
      assert.equal(findBundle(root), undefined);
    });
  }

  it('may be moved with everything that it was made of, and not be led to by a link', async (t) => {
    const [root, other] = [newRoot(t), newRoot(t)];
    await makeBundle(root);
    cpSync(root, join(other, 'moved'), { recursive: true, preserveTimestamps: true });
    const moved = join(other, 'moved');
    const { place } = await load(moved);
    assert.equal(place, pathToFileURL(join(moved, 'server/src/main.ts')).href);
    renameSync(join(moved, 'server/node_modules'), join(other, 'elsewhere'));
    symlinkSync(join(other, 'elsewhere'), join(moved, 'server/node_modules'));
    assert.equal(findBundle(moved), undefined);
  });

  it('is not made of a source that is wrong, nor where nothing can be written', async (t) => {
    const root = newRoot(t);
    write(root, 'server/src/number.ts', 'export const NUMBER = ;');
    await assert.rejects(makeBundle(root), /number\.ts/);
    assert.equal(findBundle(root), undefined);
    const other = newRoot(t);
    writeFileSync(join(other, 'server/node_modules'), 'no folder');
    await assert.rejects(makeBundle(other), /ENOTDIR/);
    assert.equal(findBundle(other), undefined);
  });

  it('stays for those who run it when the next one is made, however old', async (t) => {
    const root = newRoot(t);
    await makeBundle(root);
    const first = findBundle(root) ?? '';
    utimesSync(dirname(first), 0, 0);
    write(root, 'server/src/number.ts', 'export const NUMBER: number = 3;');
    await makeBundle(root);
    assert.notEqual(findBundle(root), first);
    assert.ok(statSync(first).isFile());
    write(root, 'server/src/number.ts', 'export const NUMBER: number = 4;');
    await makeBundle(root);
    assert.throws(() => statSync(first), /ENOENT/);
  });
});
