import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { affectedBy, readImporters, testsOfScreens } from './changed.ts';
import { testFiles } from './selection.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TESTS = testFiles(ROOT);
const IMPORTERS = readImporters(ROOT);
const affected = (...changed: string[]) => affectedBy(IMPORTERS, changed, TESTS);

test('A changed test affects only itself', () => {
  const file = 'server/src/tenancy/uses.test.ts';
  assert.deepEqual(affected(file, 'SECURITY.txt'), [file]);
});

test('A change of a module affects its tests and the isolation of tenants, not other modules', () => {
  const files = affected('server/src/modules/machines/agents/module.ts');
  assert.ok(files.includes('tests/isolation/matrix.test.ts'));
  assert.ok(files.some((file) => file.startsWith('server/src/modules/machines/agents/')));
  assert.ok(!files.some((file) => file.startsWith('server/src/modules/pages/')));
});

test('A change of a helper affects the tests that import it, also through other files', () => {
  const files = affected('tests/harness/passkey.ts');
  assert.ok(files.includes('tests/races/passkeys.test.ts'));
  assert.ok(!files.includes('server/src/tenancy/uses.test.ts'));
});

test('A change below every module affects every test', () => {
  assert.deepEqual(affected('server/src/tenancy/gate.ts'), TESTS);
  const deep = affectedBy(IMPORTERS, ['server/src/tenancy/gate.ts'], TESTS, { wantsDeep: true });
  assert.ok(deep.length < TESTS.length, 'the deep tests take turns');
});

test('A change of a document affects only the tests that run documents', () => {
  assert.ok(
    affected('docs/guide/sms.md').every((file) => /^(tests\/(e2e|site)|tools\/check)\//.test(file)),
  );
});

test('The tests of screens are left out where no file has changed that can make a screen differ', () => {
  const left = testsOfScreens(['server/src/modules/machines/agents/module.ts'], TESTS);
  assert.ok(left.includes('tests/console/walk.test.ts'));
  assert.ok(!left.includes('tests/console/journeys.test.ts'));
  for (const file of ['ui/console/src/main.tsx', 'tests/pages/brand.test.ts', 'package-lock.json'])
    assert.deepEqual(testsOfScreens([file], TESTS), [], file);
});
