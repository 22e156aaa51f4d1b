import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KEYWORDS } from '../../site/keywords.mjs';
import { GROUPS, UNLISTED } from '../../site/sidebar.mjs';
import { indexOf, navigationOf, pagesIn } from '../../site/src/docs/navigation.ts';
import { sitePages } from '../../site/src/docs/records.ts';

function pagesNamed(...ids: string[]): { id: string; title: string }[] {
  return ids.map((id) => ({ id, title: `Title of ${id}` }));
}

describe('the sidebar of the documentation site', () => {
  test('Every page of the documentation has a place in the sidebar, and each entry a page', () => {
    const sections = navigationOf(
      sitePages(),
      GROUPS,
      UNLISTED.map(([folder]) => folder),
    );
    const ids = sections.flatMap(pagesIn).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'a page is listed once');
    assert.ok(ids.includes('guide/add-login'));
    assert.ok(!ids.some((id) => id.startsWith('adr/')), 'records are reached from their index');
    assert.deepEqual(
      UNLISTED.map(([, index]) => index).filter((index) => !ids.includes(index)),
      [],
      'each index is listed',
    );
  });

  test('Keywords of the search belong to pages that exist', () => {
    const ids = sitePages().map(({ id }) => id);
    assert.deepEqual(
      Object.keys(KEYWORDS).filter((id) => !ids.includes(id)),
      [],
    );
  });

  test('A page that the sidebar does not list links to its index', () => {
    assert.equal(indexOf('errors/tenant_not_found')?.id, 'reference/errors');
    assert.equal(indexOf('adr/0001-one-contract')?.id, 'adr');
    assert.equal(indexOf('adr'), undefined);
    assert.equal(indexOf('guide/tenants'), undefined);
  });

  test('A page that no group includes fails the build', () => {
    const groups = [{ label: 'Guides', items: ['guide/*'] }];
    assert.throws(
      () => navigationOf(pagesNamed('guide/a', 'lost/b'), groups, ['adr/*']),
      /no place for lost\/b/,
    );
  });

  test('An entry of the sidebar whose page does not exist fails the build', () => {
    const groups = [{ label: 'Guides', items: ['guide/gone', 'guide/*'] }];
    assert.throws(
      () => navigationOf(pagesNamed('guide/a'), groups, []),
      /do not exist: guide\/gone/,
    );
  });

  test('A folder includes its index and then its pages that have no entry elsewhere, and a label replaces a title', () => {
    const groups = [
      { label: 'First', items: [['guide/b', 'Short'] as const] },
      { label: 'Second', items: ['guide/*'] },
      { label: 'Empty', items: ['concepts/*'] },
    ];
    const sections = navigationOf(pagesNamed('guide/a', 'guide', 'guide/b', 'guide/c'), groups, []);
    assert.deepEqual(
      sections.map(({ label, items }) => [label, items.map((item) => item.label)]),
      [
        ['First', ['Short']],
        ['Second', ['Title of guide', 'Title of guide/a', 'Title of guide/c']],
      ],
    );
  });
});
