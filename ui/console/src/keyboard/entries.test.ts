import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CREATIONS, entriesFor, type Offered, pastedEntry } from './entries.ts';
import { recentOf } from './recent.ts';

const OFFERED: readonly Offered[] = [
  { to: '/users', icon: 'users', title: 'users', scope: 'read:users' },
  { to: '/users/new', icon: 'user-plus', title: 'userCreate', scope: 'write:users' },
  { to: '/tenants', icon: 'building-2', title: 'tenants', isOfSystem: true },
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
  assert.deepEqual(
    find('tenants', () => true, true),
    ['/tenants'],
  );
  assert.deepEqual(pastedEntry('org_acme', false), []);
  assert.equal(pastedEntry('org_acme', true)[0]?.to, '/tenants/org_acme');
});

test('Every screen that creates something by itself is offered', () => {
  const routes = readFileSync(new URL('../shell/routes.ts', import.meta.url), 'utf8');
  const screens = [...routes.matchAll(/'(\/[^'$]*\/(?:new|import|leak))'/g)].map(([, to]) => to);
  assert.deepEqual(new Set<unknown>(CREATIONS.map(({ to }) => to)), new Set<unknown>(screens));
});

test('A pasted id leads to its record', () => {
  assert.equal(pastedEntry(' ws_default ', false)[0]?.to, '/workspaces/ws_default');
});

test('The recent entries of the palette are five at most, and empty where the stored value is invalid', () => {
  const stored = Array.from({ length: 6 }, (_, index) => ({ to: `/users/${index}`, text: 'Ada' }));
  assert.deepEqual(recentOf(JSON.stringify(stored)), stored.slice(0, 5));
  for (const bad of [undefined, 'no JSON', '7', '[1, null, {"to": "/users"}]']) {
    assert.deepEqual(recentOf(bad), []);
  }
  const strange = [
    { to: '//evil.example', text: 'x' },
    { to: 'javascript:x', text: 'x' },
    ...stored,
  ];
  assert.deepEqual(recentOf(JSON.stringify(strange)), stored.slice(0, 3));
});
