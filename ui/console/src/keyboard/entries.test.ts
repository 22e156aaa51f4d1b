import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CREATIONS, entriesFor, type Offered } from './entries.ts';

const OFFERED: readonly Offered[] = [
  { to: '/users', title: 'users', scope: 'read:users' },
  { to: '/users/new', title: 'userCreate', scope: 'write:users' },
  { to: '/tenants', title: 'tenants', isOfSystem: true },
];
const NAMES: Readonly<Record<string, string>> = {
  users: 'Utilisateurs',
  userCreate: 'Créer un utilisateur',
};
const find = (typed: string, can = (_scope: string) => true, isSystemAdministrator = false) =>
  entriesFor(typed, OFFERED, {
    say: (key) => NAMES[key] ?? key,
    can,
    isSystemAdministrator,
  }).map(({ to }) => to);

test('The entries are found by every word of their name, regardless of accents and case', () => {
  assert.deepEqual(find(''), ['/users', '/users/new']);
  assert.deepEqual(find('CREER util'), ['/users/new']);
  assert.deepEqual(find('rien'), []);
});

test('No entry is offered that the caller has no permission for', () => {
  assert.deepEqual(
    find('', (scope) => scope === 'read:users'),
    ['/users'],
  );
});

test('The entries of the installation are offered to system administrators only', () => {
  assert.deepEqual(find('tenants'), []);
  assert.deepEqual(find('org_acme'), []);
  assert.deepEqual(
    find('tenants', () => true, true),
    ['/tenants'],
  );
  assert.deepEqual(
    find('org_acme', () => true, true),
    ['/tenants/org_acme'],
  );
});

test('Every screen that creates something by itself is offered', () => {
  const routes = readFileSync(new URL('../shell/routes.ts', import.meta.url), 'utf8');
  const screens = [...routes.matchAll(/'(\/[^'$]*\/(?:new|import|leak))'/g)].map(([, to]) => to);
  assert.deepEqual(new Set<unknown>(CREATIONS.map(({ to }) => to)), new Set<unknown>(screens));
});

test('The record of a pasted id comes first', () => {
  assert.deepEqual(find('ws_default'), ['/workspaces/ws_default']);
});
