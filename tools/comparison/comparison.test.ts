import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readComparison } from './data.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { checked, products, rows } = readComparison(ROOT);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Features that Keywright lacks. Each check fails as soon as Keywright has one. */
const MISSING: Readonly<Record<string, () => boolean>> = {
  hosted: () => !read('README.md').match(/you need .*a managed service/s),
  stable: () => !/"version": "0\./.test(read('package.json')),
  certified: () => !read('docs/conformance.md').includes('This is not a certification'),
  saml: () => hasRoute(/saml/i),
  scim: () => hasRoute(/scim/i),
  ldap: () => 'ldapjs' in dependencies() || 'ldapts' in dependencies(),
  sdks: () => globSync('sdk/*', { cwd: ROOT }).some((path) => /\/(python|go|java)$/.test(path)),
};

function dependencies(): object {
  return (JSON.parse(read('server/package.json')) as { dependencies: object }).dependencies;
}

function hasRoute(pattern: RegExp): boolean {
  const { paths } = JSON.parse(read('docs/reference/openapi.json')) as { paths: object };
  return Object.keys(paths).some((path) => pattern.test(path));
}

describe('the comparison with other products', () => {
  test('Each feature that the comparison promises is named by a page and by tests', () => {
    for (const { id, keywright } of rows) {
      if (keywright.value === 'no') continue;
      const { guide, names, proof } = keywright;
      assert.ok(names.length > 0, `${id} has names`);
      const tests = proof.filter((file) => file.endsWith('.test.ts') || file === guide);
      assert.ok(tests.length > 0, `${id} has a test`);
      for (const file of [guide, ...proof]) {
        const text = read(file).toLowerCase();
        for (const name of names) assert.ok(text.includes(name.toLowerCase()), `${id}: ${file}`);
      }
    }
  });

  test('Each feature that the comparison denies is missing', () => {
    const denied = rows.filter(({ keywright }) => keywright.value === 'no').map(({ id }) => id);
    assert.deepEqual(new Set(denied), new Set(Object.keys(MISSING)));
    for (const id of denied) assert.equal(MISSING[id]?.(), false, `${id}: update ${id}`);
  });

  test('Each cell of another product cites a page, and the sources have a date', () => {
    assert.match(checked, /^\d{4}-\d{2}-\d{2}$/);
    const known = new Set(products.map(({ id }) => id));
    for (const { id, others } of rows) {
      for (const [product, { value, note, source }] of Object.entries(others)) {
        assert.ok(known.has(product), product);
        assert.ok(source.startsWith('https://'), `${id} ${product}`);
        if (value === 'text' || value === 'partly') assert.ok(note, `${id} ${product} has a note`);
      }
    }
  });

  test('The comparison has rows in which other products are ahead', () => {
    const behind = rows.filter(
      ({ keywright, others }) =>
        keywright.value === 'no' && Object.values(others).some(({ value }) => value === 'yes'),
    );
    assert.ok(behind.length >= 5);
  });
});
