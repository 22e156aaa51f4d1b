import assert from 'node:assert/strict';
import { it } from 'node:test';
import { viewOf } from './preview-view.ts';

it('A preview follows its address, and uses defaults for everything else', () => {
  const shown = { locale: 'ar', scheme: 'dark', device: 'desk' };
  assert.deepEqual(viewOf({ view: 'consent', ...shown }, 'de'), { page: 'consent', ...shown });
  const usual = { page: 'login', locale: 'de', scheme: 'auto', device: 'phone' };
  assert.deepEqual(viewOf({}, 'de'), usual);
  assert.deepEqual(viewOf({ view: '../account', locale: 'tlh', scheme: 'x' }, 'de'), usual);
  assert.equal(viewOf({}, 'tlh').locale, 'en');
});
