import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Filter } from './column.ts';
import { typedIn, valueOf } from './typed.ts';

const ROLE: Filter = { name: 'role', label: 'filterRole' };
const BEFORE: Filter = { name: 'last_login_before', label: 'lastLoginBefore', isMoment: true };
const LABELS = new Map([
  [ROLE, 'Rolle'],
  [BEFORE, 'Letzte Anmeldung vor'],
]);
const typed = (text: string) => typedIn(text, [ROLE, BEFORE], (each) => LABELS.get(each) ?? '');

it('A filter is typed by the name of its field or its label, in any case', () => {
  for (const text of ['role:engineer', 'ROLE: engineer ', 'Rolle:engineer']) {
    assert.deepEqual(typed(text), { filter: ROLE, text: 'engineer' }, text);
  }
  assert.equal(typed('last-login-before:2026')?.filter, BEFORE);
  assert.equal(typed('role:')?.text, '');
});

it('A text that begins with no property of the list is searched for', () => {
  for (const text of ['engineer', 'user:01m8', ':engineer', 'https://example.com', '']) {
    assert.equal(typed(text), undefined, text);
  }
});

it('A typed value is a name, or the beginning of exactly one name', () => {
  const options = [
    { value: 'ws_research', word: 'Research' },
    { value: 'ws_research-2', word: 'Research Berlin' },
    { value: 'ws_line', word: 'Assembly line' },
  ];
  assert.equal(valueOf('research', options), 'ws_research');
  assert.equal(valueOf('ws_line', options), 'ws_line');
  assert.equal(valueOf('assembly', options), 'ws_line');
  assert.equal(valueOf('re', options), undefined);
  assert.equal(valueOf('', options), undefined);
});
