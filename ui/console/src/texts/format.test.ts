import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMessage, formatNames, formatNumber, formatRelative, wordsOfName } from './format.ts';

describe('a text', () => {
  it('A text has its values filled in, and keeps a placeholder without a value', () => {
    assert.equal(formatMessage('en', 'Created {name}.', { name: '{id}' }), 'Created {id}.');
    assert.equal(formatMessage('en', 'Created {name}.'), 'Created {name}.');
    assert.equal(formatMessage('de', '{count} in all', { count: 12_345 }), '12.345 in all');
  });

  it('A value within a text from right to left is isolated once', () => {
    const text = (name: string) => formatMessage('ar', 'حذف {name}؟', { name });
    assert.equal(text('Ada (2)'), 'حذف \u2068Ada (2)\u2069؟');
    assert.equal(text('\u2068Ada\u2069'), 'حذف \u2068Ada\u2069؟');
    assert.equal(formatMessage('en', 'Delete {name}?', { name: 'Ada' }), 'Delete Ada?');
  });

  it('Names in a text from right to left are isolated one by one, since the words between them are not', () => {
    const names = formatNames('ar', ['member', 'engineer']);
    assert.equal(names, '\u2068member\u2069 و\u2068engineer\u2069');
    assert.equal(formatMessage('ar', 'أُضيف {names}', { names }), `أُضيف ${names}`);
    assert.equal(formatNames('en', ['member', 'engineer']), 'member, engineer');
  });

  it('A text has the plural form of its language', () => {
    const forms = { one: '{count} session', two: 'both', few: 'a few', other: '{count} sessions' };
    assert.equal(formatMessage('en', forms, { count: 1 }), '1 session');
    assert.equal(formatMessage('en', forms, { count: 2 }), '2 sessions');
    assert.equal(formatMessage('ar', forms, { count: 2 }), 'both');
    assert.equal(formatMessage('ar', forms, { count: 5 }), 'a few');
  });
});

describe('a time', () => {
  const now = Date.parse('2026-11-26T15:00:00Z');
  const cases = [
    [-30_000, 'now'],
    [-60_000, '1 minute ago'],
    [-3_599_000, '59 minutes ago'],
    [3_600_000, 'in 1 hour'],
    [-86_400_000, 'yesterday'],
    [86_400_000 * 40, 'next month'],
    [-86_400_000 * 800, '2 years ago'],
  ] as const;
  for (const [distance, words] of cases) {
    it(`A time is ${words} in words`, () => {
      assert.equal(formatRelative('en', now + distance, now), words);
    });
  }
});

it('The digits of numbers are Western in every language, as those of ids are', () => {
  assert.match(formatNumber('ar', 1234), /^[\d.,]+$/);
});

it('A field without its own name is called as the API calls it', () => {
  assert.equal(wordsOfName('expires_in_days'), 'Expires in days');
  assert.equal(wordsOfName('redirect_uris'), 'Redirect URIs');
  assert.equal(wordsOfName('require_pkce'), 'Require PKCE');
});
