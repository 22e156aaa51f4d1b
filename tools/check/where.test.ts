import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const PAGE = new URL('../../docs/contributing/where.md', import.meta.url);

test('The page for newcomers names files and identifiers that exist', () => {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/\]\(([^)]+)\) *\| `([^`]+)` *\|$/gm);
  const named = [...rows].map(([, file = '', name = '']) => ({ file, name }));
  assert.equal(named.length, 20);
  for (const { file, name } of named) {
    const text = readFileSync(new URL(file, PAGE), 'utf8');
    assert.ok(text.includes(name), `${file} has no ${name}`);
  }
});
