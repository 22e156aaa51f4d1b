import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { SERVICE_FLAGS } from '../../cli/src/operate.ts';
import {
  edit,
  type Environment,
  newClone,
  newEnvironment,
  ROOT,
  setUp,
  startedWith,
} from './clone.ts';

let env: Environment;
let root: string;

before(async () => {
  env = await newEnvironment();
  root = await newClone();
});

/** Every file of the clone with its modification time, except the packages, which it shares. */
async function filesOf(): Promise<readonly string[]> {
  const folders = ['contract', 'server', 'tools', 'ui'].map((name) => join(root, name));
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const isCache = (file: string) => file.endsWith('/dist') || file.includes('/dist/compiled');
  const files = [root, ...folders, ...names.flat()].filter((file) => !isCache(file));
  return Promise.all(files.map(async (file) => `${file} ${(await stat(file)).mtimeMs}`));
}

describe('a start', () => {
  test('A start runs the build of the current sources, and builds only after a change', async () => {
    const both = 'keywright: building the service\nkeywright: building the console\n';
    assert.deepEqual(await setUp(root), [both, 0]);
    const built = await filesOf();
    assert.deepEqual(await setUp(root), ['', 0]);
    assert.equal(await startedWith(root, env), 'listening');
    assert.deepEqual(await filesOf(), built, 'nothing but the compile cache is written');
    await edit(join(root, 'server/src/main.ts'), `'listening'`, `'listening, changed'`);
    assert.deepEqual(await setUp(root), ['keywright: building the service\n', 0]);
    assert.equal(await startedWith(root, env, 2), 'listening, changed');
  });

  test('A start has the same flags of Node.js by npm, in the image, as a unit and from the command line', async () => {
    const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
    const [program, ...words] = scripts.start.split(' ');
    assert.deepEqual([program, ...words], ['node', ...SERVICE_FLAGS, 'server/dist/start.mjs']);
    const image = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
    const command = JSON.stringify(['node', ...SERVICE_FLAGS, '/app/dist/start.mjs']);
    assert.ok(image.includes(`CMD ${command.replaceAll(',', ', ')}\n`));
    const guide = await readFile(join(ROOT, 'docs/guide/operating.md'), 'utf8');
    assert.ok(guide.includes(`ExecStart=/usr/bin/env ${scripts.start}\n`));
  });
});
