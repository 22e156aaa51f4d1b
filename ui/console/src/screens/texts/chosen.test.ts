import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Text } from '@keywright/sdk';
import { chosenTexts, withoutTags } from './chosen.ts';

const text = (key: string, more: Partial<Text> = {}): Text => ({
  tenant_id: 'org_acme',
  locale: 'de',
  key,
  default: 'Anmelden',
  english: 'Sign in',
  text: null,
  placeholders: [],
  tags: [],
  is_fixed: false,
  ...more,
});
const TEXTS = [
  text('login.title'),
  text('login.lead', { is_fixed: true }),
  text('logout.title', { text: 'Tschüss' }),
];
const keysOf = (search: Record<string, string>) => chosenTexts(TEXTS, search).map(({ key }) => key);

it('Texts are found by their screen, their state, their key, and what they say now or in English', () => {
  assert.deepEqual(keysOf({}), ['login.title', 'login.lead'], 'those of the login page');
  assert.equal(keysOf({ group: 'all' }).length, 3);
  assert.deepEqual(keysOf({ group: 'logout' }), ['logout.title']);
  assert.deepEqual(keysOf({ state: 'fixed' }), ['login.lead']);
  assert.deepEqual(keysOf({ state: 'own', group: 'all' }), ['logout.title']);
  assert.deepEqual(keysOf({ state: 'default' }), ['login.title']);
  assert.deepEqual(keysOf({ words: ' tschÜ' }), ['logout.title']);
  assert.deepEqual(keysOf({ words: 'anmelden' }), ['login.title', 'login.lead']);
  assert.deepEqual(keysOf({ words: 'SIGN IN', state: 'own' }), ['logout.title']);
  assert.deepEqual(keysOf({ words: 'nothing' }), []);
});

it('A text is read and found without its tags, but with its placeholders', () => {
  const lead = text('login.lead', { default: 'Weiter zu <b>{client}</b>', tags: ['b'] });
  assert.equal(withoutTags(lead.default, lead), 'Weiter zu {client}');
  assert.equal(withoutTags('a < b > c', lead), 'a < b > c');
  assert.deepEqual(chosenTexts([lead], { words: 'zu {client}' }), [lead]);
});
