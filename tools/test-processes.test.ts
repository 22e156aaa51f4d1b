import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { processesOf, writeProcesses } from './test-processes.ts';

const HOOKS = `
import { after, before, test } from 'node:test';
before(() => console.log(import.meta.filename, 'before'));
test('one', () => console.log(import.meta.filename, 'one'));
after(() => console.log(import.meta.filename, 'after'));
`;
const FAILS = `
import { test } from 'node:test';
test('is wrong', () => { throw new Error('expected'); });
`;
const LEAVES_A_TIMER = `
import { test } from 'node:test';
test('leaves a timer', () => { setInterval(() => {}, 1000); });
`;
const CANNOT_BE_LOADED = `throw new Error('at the top');`;

/** Runs files in one process. */
function run(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'keywright-processes-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const folder = join(root, 'processes');
  mkdirSync(folder);
  const paths = writeProcesses(root, folder, Object.keys(files), 100);
  assert.equal(paths.length, 1);
  // A run within a run would report to the outer one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const flags = ['--test', '--test-reporter=spec'];
  const { status, stdout } = spawnSync(process.execPath, [...flags, ...paths], {
    env,
    encoding: 'utf8',
  });
  const line = /^\/.*\/(.*) (before|one|after)$/gm;
  const said = Array.from(stdout.matchAll(line), ([, file, what]) => `${file} ${what}`);
  return { status, stdout, said };
}

describe('test files that share a process', () => {
  test('run one after the other, each with its own hooks', (t) => {
    const { status, said } = run(t, { 'a.test.mjs': HOOKS, 'b.test.mjs': HOOKS });
    const expected = ['a.test.mjs', 'b.test.mjs'].flatMap((file) =>
      ['before', 'one', 'after'].map((what) => `${file} ${what}`),
    );
    assert.deepEqual(said, expected);
    assert.equal(status, 0);
  });

  for (const [what, text, reason] of [
    ['has a test that fails', FAILS, /is wrong/],
    ['cannot be loaded', CANNOT_BE_LOADED, /at the top/],
  ] as const) {
    test(`fail if one ${what}, which is named, and the others run`, (t) => {
      const { status, stdout, said } = run(t, { 'a.test.mjs': text, 'b.test.mjs': HOOKS });
      assert.equal(status, 1);
      assert.match(stdout, /✖ a\.test\.mjs/);
      assert.match(stdout, reason);
      assert.equal(said.length, 3);
    });
  }
});

test('a process that stays alive after its tests fails, and says what holds it', (t) => {
  const { status, stdout, said } = run(t, { 'a.test.mjs': LEAVES_A_TIMER, 'b.test.mjs': HOOKS });
  assert.equal(status, 1);
  assert.equal(said.length, 3);
  assert.match(stdout, /after the last test, because of: .*Timeout/);
});

describe('the processes of a test run', () => {
  const files = Array.from({ length: 45 }, (_, index) => `server/src/${index}.test.ts`);
  const alone = ['tests/e2e/guide.test.ts', 'tools/setup/lock.test.ts'];

  test('run every file once', () => {
    const all = processesOf([...files, ...alone]).flat();
    assert.deepEqual(all.toSorted(), [...files, ...alone].toSorted());
  });

  test('start with the files that have one to themselves', () => {
    assert.deepEqual(
      processesOf([...files, ...alone]).slice(0, 2),
      alone.map((file) => [file]),
    );
  });

  test('have similar numbers of files, ten at most', () => {
    assert.deepEqual(
      processesOf(files).map(({ length }) => length),
      [9, 9, 9, 9, 9],
    );
  });
});
