import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { SHOWN_BY } from '../../tests/deep.ts';
import { EXPENSIVE } from '../../tests/expensive.ts';
import { Durations } from './durations.ts';
import { readOptions } from './options.ts';
import { filesNamed, isDeep, SelectionError, testFiles } from './selection.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const select = (...paths: string[]) => filesNamed(ROOT, paths, { wantsDeep: false });

test('A folder stands for all test files in it, at any depth', () => {
  const files = select(`${ROOT}tools/test`);
  assert.deepEqual(files, [
    'tools/test/changed.test.ts',
    'tools/test/pool.test.ts',
    'tools/test/report.test.ts',
    'tools/test/selection.test.ts',
  ]);
  const within = select(`${ROOT}tools`);
  assert.ok(files.every((file) => within.includes(file)));
  assert.ok(within.every((file) => file.startsWith('tools/')));
});

test('Every file of the tier is selected once when no path is given', () => {
  const files = select();
  assert.equal(new Set(files).size, files.length);
  assert.ok(files.includes('tools/test/pool.test.ts'));
  assert.deepEqual(files.filter(isDeep), []);
  const deep = filesNamed(ROOT, [], { wantsDeep: true });
  assert.ok(deep.includes('tests/races/login.test.ts'), 'races, on other databases');
  assert.ok(deep.includes('tests/e2e/package.deep.test.ts'));
  assert.ok(!deep.includes('tools/test/pool.test.ts'));
});

test('A path that leads to no test is an error', () => {
  for (const path of ['nonsense', 'tools/test.ts', 'docs', 'tools/test/gone.test.ts']) {
    assert.throws(() => select(`${ROOT}${path}`), SelectionError, path);
  }
});

test('Each deep test repeats what a test of every run shows', () => {
  const [deep, others] = [true, false].map((wantsDeep) =>
    testFiles(ROOT).filter((file) => isDeep(file) === wantsDeep),
  );
  const names = deep?.map((file) => file.replace('.deep.test.ts', ''));
  assert.deepEqual(Object.keys(SHOWN_BY), names);
  for (const shown of Object.values(SHOWN_BY).flat())
    assert.ok(others?.includes(`${shown}.test.ts`), shown);
});

test('The list of expensive files names only test files, in order', () => {
  const names = Object.keys(EXPENSIVE);
  assert.deepEqual(names, names.toSorted());
  for (const name of names) assert.ok(testFiles(ROOT).includes(name), name);
});

test('A value follows its option after a space or an equals sign', () => {
  for (const args of [
    ['--shard', '2/4', '--test-name-pattern', 'a name', 'tools'],
    ['tools', '--shard=2/4', '--test-name-pattern=a name'],
  ]) {
    const { paths, flags, shard } = readOptions(args);
    assert.deepEqual(paths, ['tools']);
    assert.deepEqual(flags, ['--test-name-pattern=a name']);
    assert.deepEqual(shard, { place: 1, of: 4 });
  }
});

test('An unknown option or a nonexistent shard is an error', () => {
  for (const option of ['--shards', '--shard=5/4', '--shard=0/4', '--shard']) {
    assert.throws(() => readOptions([option]), SelectionError, option);
  }
});

test('The longest files start first, and unmeasured files before short ones', () => {
  const durations = new Durations({ 'short.test.ts': 1, 'long.test.ts': 90 });
  const files = ['short.test.ts', 'new.test.ts', 'long.test.ts'];
  assert.deepEqual(durations.longestFirst(files), ['long.test.ts', 'new.test.ts', 'short.test.ts']);
});

test('A run takes at least as long as its longest file', () => {
  const durations = new Durations({ a: 90, b: 10, c: 20 });
  assert.equal(durations.estimate(['a', 'b', 'c'], 3), 90);
  assert.equal(durations.estimate(['a', 'b', 'c'], 1), 120);
  assert.equal(durations.estimate([], 3), 0);
  assert.equal(new Durations({ a: 90, b: 10 }, 2).estimate(['a', 'b'], 1), 200);
});
