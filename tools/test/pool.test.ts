import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { runFiles } from './pool.ts';
import type { Outcome } from './reporter.ts';

const HOOKS = `
import { after, before, test } from 'node:test';
console.log('load');
before(() => console.log('before'));
test('one', () => console.log('one'));
after(() => console.log('after'));
`;
const FAILS = `
import { test } from 'node:test';
test('is wrong', () => { throw new Error('expected'); });
`;
const CANNOT_BE_LOADED = `throw new Error('at the top');`;
const ENDS_ITS_PROCESS = `
import { test } from 'node:test';
test('ends', () => { process.exit(7); });
`;
const waitsBeside = (what: string) => `
import { test } from 'node:test';
test('leaves an error behind', async () => {
  await new Promise((resolve) => { setImmediate(resolve); });
  setImmediate(() => { ${what} });
  await new Promise((resolve) => { setTimeout(resolve, 20); });
});
`;
const DESCRIBES_LATER = `
import { describe, test } from 'node:test';
describe('a suite', async () => {
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  test('comes too late', () => {});
});
`;
const EXITS_WITH_A_CODE = `
import { test } from 'node:test';
test('leaves a code behind', () => { process.exitCode = 3; });
`;
const HAS_OPEN_TIMER = `
import { test } from 'node:test';
test('leaves a timer', () => { setInterval(() => {}, 1000); });
`;
const WAITS = `
import { test } from 'node:test';
test('waits', () => new Promise((resolve) => {
  console.log('waiting');
  setInterval(() => {}, 1000);
}));
`;

interface Run {
  readonly flags?: readonly string[];
  readonly environments?: readonly Readonly<Record<string, string>>[];
  readonly signal?: AbortSignal;
  readonly onStart?: (file: string) => void;
}

/** Runs files with this content, by default in one worker. */
async function run(t: TestContext, files: Readonly<Record<string, string>>, options: Run = {}) {
  const {
    flags = [],
    environments = [{}],
    signal = new AbortController().signal,
    onStart,
  } = options;
  const root = mkdtempSync(join(tmpdir(), 'keywright-pool-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const outcomes: Outcome[] = [];
  const written: string[] = [];
  const broken: string[] = [];
  const started: string[] = [];
  const work = { root, files: Object.keys(files), environments, flags, graceMs: 100 };
  const listener = {
    started(file: string) {
      started.push(file);
      onStart?.(file);
    },
    reported(report: { kind: string }) {
      if (report.kind in { passed: 0, failed: 0, skipped: 0 }) outcomes.push(report as Outcome);
    },
    wrote: (file: string, text: string) => {
      for (const line of text.trim().split('\n')) written.push(`${file} ${line}`);
    },
    broke: (file: string, how: string) => broken.push(`${file}: ${how}`),
  };
  await runFiles(work, listener, signal);
  const failed = outcomes.filter(({ kind }) => kind === 'failed');
  const errors = failed.flatMap(({ file, error }) =>
    error === undefined ? [] : [`${file} ${error}`],
  );
  const passed = outcomes.filter(({ kind, isSuite }) => kind === 'passed' && !isSuite);
  return { passed: passed.map(({ file }) => file), errors, written, broken, started };
}

describe('test files that share a process', () => {
  test('The test files of one process run one after the other with their own hooks, each loaded when its turn comes', async (t) => {
    const { written } = await run(t, { 'a.test.mjs': HOOKS, 'b.test.mjs': HOOKS });
    const expected = ['a.test.mjs', 'b.test.mjs'].flatMap((file) =>
      ['load', 'before', 'one', 'after'].map((what) => `${file} ${what}`),
    );
    assert.deepEqual(written, expected);
  });

  for (const [what, text, reason] of [
    ['has a test that fails', FAILS, /^a\.test\.mjs Error: expected/],
    ['cannot be loaded', CANNOT_BE_LOADED, /^a\.test\.mjs Error: at the top/],
  ] as const) {
    test(`A test file runs even if one before it in the same process ${what}, which is reported`, async (t) => {
      const { passed, errors, broken } = await run(t, { 'a.test.mjs': text, 'b.test.mjs': HOOKS });
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', reason);
      assert.deepEqual(passed, ['b.test.mjs']);
      assert.deepEqual(broken, []);
    });
  }

  test('A test file runs even if one before it ends the process, and that one is reported as failed', async (t) => {
    const { passed, broken } = await run(t, {
      'a.test.mjs': ENDS_ITS_PROCESS,
      'b.test.mjs': HOOKS,
    });
    assert.deepEqual(broken, ['a.test.mjs: its process ended with code 7 before its tests had']);
    assert.deepEqual(passed, ['b.test.mjs']);
  });

  test('The test files that share a process can be restricted to tests by their names', async (t) => {
    const flags = ['--test-name-pattern=one'];
    const { passed, errors } = await run(
      t,
      { 'a.test.mjs': FAILS, 'b.test.mjs': HOOKS },
      { flags },
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(passed, ['b.test.mjs']);
  });
});

for (const what of [`throw new Error('aside');`, `void Promise.reject(new Error('aside'));`]) {
  test(`An error that no test awaits fails its file, and the next one runs: ${what}`, async (t) => {
    const files = { 'a.test.mjs': waitsBeside(what), 'b.test.mjs': HOOKS };
    const { passed, errors, broken } = await run(t, files);
    assert.match(errors.join(), /^a\.test\.mjs An error that no test awaits: Error: aside/);
    assert.deepEqual(passed, ['a.test.mjs', 'b.test.mjs']);
    assert.deepEqual(broken, []);
  });
}

test('A test that is found too late fails the file, since its hooks are unknown', async (t) => {
  const { broken } = await run(t, { 'a.test.mjs': DESCRIBES_LATER });
  assert.match(broken[0] ?? '', /^a\.test\.mjs: a test is outside its suite.*: comes too late/);
});

test('A process that fails after its tests have passed is reported', async (t) => {
  const { broken } = await run(t, { 'a.test.mjs': EXITS_WITH_A_CODE });
  assert.deepEqual(broken, ['a.test.mjs: its process ended with code 3 after its tests']);
});

test('A process that remains alive after its tests fails, and says what holds it', async (t) => {
  const { broken, written } = await run(t, { 'a.test.mjs': HAS_OPEN_TIMER });
  assert.deepEqual(broken, ['a.test.mjs: its process ended with code 1 after its tests']);
  assert.match(written.join('\n'), /after the last test, because of: .*Timeout/);
});

test('A test file that measures its process has one to itself', async (t) => {
  const text = `
import { test } from 'node:test';
test('tells its process', () => { console.log(process.pid); });
`;
  const files = ['a.test.mjs', 'b.test.mjs', 'tools/c.test.mjs', 'd.test.mjs'];
  const { written } = await run(t, Object.fromEntries(files.map((file) => [file, text])));
  const processes = files.map((file) =>
    written.find((line) => line.startsWith(file))?.slice(file.length + 1),
  );
  const [a, b, c, d] = processes;
  assert.equal(a, b);
  assert.equal(new Set([a, c, d]).size, 3);
});

test('Each worker has its own environment', async (t) => {
  const text = `
import { test } from 'node:test';
test('tells its server', () => { console.log(process.env.SERVER); });
`;
  const environments = [{ SERVER: 'one' }, { SERVER: 'two' }];
  const files = { 'a.test.mjs': text, 'b.test.mjs': text };
  const { written } = await run(t, files, { environments });
  assert.deepEqual(written.toSorted(), ['a.test.mjs one', 'b.test.mjs two']);
});

test('A worker ends when its parent does, even while its tests still wait', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'keywright-pool-'));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.test.mjs'), WAITS);
  const reporter = new URL('reporter.ts', import.meta.url).href;
  const worker = fork(new URL('worker.ts', import.meta.url), ['100'], {
    execArgv: [`--test-reporter=${reporter}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  t.after(() => worker.kill('SIGKILL'));
  worker.send(join(root, 'a.test.mjs'));
  await new Promise((resolve) => worker.stdout?.once('data', resolve));
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  // As when the parent is killed.
  worker.disconnect();
  assert.equal(await exited, 1);
});

test('An interrupted run ends immediately and starts no further file', async (t) => {
  const interrupted = new AbortController();
  const { started, passed } = await run(
    t,
    { 'a.test.mjs': WAITS, 'b.test.mjs': HOOKS },
    { signal: interrupted.signal, onStart: () => interrupted.abort() },
  );
  assert.deepEqual(started, ['a.test.mjs']);
  assert.deepEqual(passed, []);
});
