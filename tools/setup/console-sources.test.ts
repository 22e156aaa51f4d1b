import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { consoleFolder, digestOfConsole, isConsoleBuilt } from './sources.mjs';

const FILES = [
  'package.json',
  'package-lock.json',
  'contract/package.json',
  'contract/src/scopes.ts',
  'sdk/src/generated/operations.ts',
  'ui/console/package.json',
  'ui/console/build.mjs',
  'ui/console/src/main.tsx',
  'ui/console/src/index.html',
  'ui/console/src/look/look.css',
  'ui/console/src/texts/en/home.json',
  'ui/console/src/url/search.ts',
  'ui/reference/build.mjs',
  'ui/reference/src/render.tsx',
  'ui/reference/browser/look.css',
];

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function builtRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'keywright-console-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const path of FILES) write(root, path, '{}');
  assert.equal(isConsoleBuilt(root), false);
  const manifest = join(consoleFolder(root), 'manifest.json');
  mkdirSync(dirname(manifest), { recursive: true });
  writeFileSync(manifest, JSON.stringify({ sources: digestOfConsole(root) }));
  return root;
}

describe('a build of the console', () => {
  for (const path of FILES) {
    it(`A build of the console is not current after a change of ${path}`, (t) => {
      const root = builtRoot(t);
      assert.equal(isConsoleBuilt(root), true);
      write(root, path, '[]');
      assert.equal(isConsoleBuilt(root), false);
    });
  }

  it('A build of the console remains current after a change of a test', (t) => {
    const root = builtRoot(t);
    write(root, 'ui/console/src/url/search.test.ts', 'another');
    assert.equal(isConsoleBuilt(root), true);
  });
});
