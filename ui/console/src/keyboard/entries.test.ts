import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesFor, type Offered } from './entries.ts';

const OFFERED: readonly Offered[] = [
  { to: '/users', title: 'users', scope: 'read:users' },
  { to: '/users/new', title: 'userCreate', scope: 'write:users' },
];
const NAMES: Readonly<Record<string, string>> = {
  users: 'Utilisateurs',
  userCreate: 'Créer un utilisateur',
};
const find = (typed: string, can = (_scope: string) => true) =>
  entriesFor(typed, OFFERED, { say: (key) => NAMES[key] ?? key, can }).map(({ to }) => to);

test('entries are found by every word of their name, whatever its accents and its case', () => {
  assert.deepEqual(find(''), ['/users', '/users/new']);
  assert.deepEqual(find('CREER util'), ['/users/new']);
  assert.deepEqual(find('rien'), []);
});

test('nothing is offered that the caller may not do', () => {
  assert.deepEqual(
    find('', (scope) => scope === 'read:users'),
    ['/users'],
  );
});

test('what was pasted comes first', () => {
  assert.deepEqual(find('ws_default'), ['/workspaces/ws_default']);
});
