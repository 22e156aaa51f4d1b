import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import type { HistoryEntry } from '../../events/journal/audit-store.ts';
import { findLosses, rolesIn } from './evidence-history.ts';

const USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';

/** A history with the newest change first; each ID contains the number of the change, counted from the oldest. */
function history(
  ...changes: readonly (readonly [role: string | undefined, details: AuditDetails])[]
): HistoryEntry[] {
  return changes.map(([role, details], index) => ({
    id: `aud_${changes.length - index}`,
    created_at: new Date(),
    action: role === undefined ? 'user.updated' : 'role.updated',
    actor_kind: 'user',
    actor_id: USER,
    on_behalf_of: null,
    target_kind: role === undefined ? 'user' : 'role',
    target_id: role ?? USER,
    details,
  }));
}

function losses(lacking: readonly string[], roles: readonly string[], changes: HistoryEntry[]) {
  return findLosses(lacking, changes, roles).map(({ scope, change }) => [scope, change.id]);
}

test('A scope is lost with the role that granted it, even if the role granted more', () => {
  const changes = history([undefined, { roles_removed: ['editor'], scopes_removed: ['write:*'] }]);
  assert.deepEqual(losses(['write:notes', 'read:notes'], [], changes), [['write:notes', 'aud_1']]);
});

test('A scope is lost when it is removed from a role of the user', () => {
  const changes = history(['editor', { scopes_removed: ['write:notes'] }]);
  assert.deepEqual(losses(['write:notes'], ['editor'], changes), [['write:notes', 'aud_1']]);
});

test('The last change counts if a scope was lost more than once', () => {
  const lost = { scopes_removed: ['write:notes'] };
  const changes = history(
    ['editor', lost],
    ['editor', { scopes_added: ['write:notes'] }],
    ['editor', lost],
  );
  assert.deepEqual(losses(['write:notes'], ['editor'], changes), [['write:notes', 'aud_3']]);
});

test('A role that lost a scope before the user had it removed nothing from them', () => {
  const changes = history(
    [undefined, { roles_added: ['editor'] }],
    ['editor', { scopes_removed: ['write:notes'] }],
  );
  assert.deepEqual(losses(['write:notes'], ['editor'], changes), []);
});

test('A role that lost a scope after the user lost the role removed nothing from them', () => {
  const changes = history(
    ['editor', { scopes_removed: ['write:notes'] }],
    [undefined, { roles_removed: ['editor'], scopes_removed: ['write:notes'] }],
  );
  assert.deepEqual(losses(['write:notes'], [], changes), [['write:notes', 'aud_1']]);
});

test('A former role removed a scope while the user had it', () => {
  const changes = history(
    [undefined, { roles_removed: ['editor'], scopes_removed: [] }],
    ['editor', { scopes_removed: ['write:notes'] }],
    [undefined, { roles_added: ['editor'], scopes_added: ['write:notes'] }],
  );
  assert.deepEqual(losses(['write:notes'], [], changes), [['write:notes', 'aud_2']]);
});

test('A scope that was never granted was never lost', () => {
  const changes = history([
    undefined,
    { roles_removed: ['editor'], scopes_removed: ['read:notes'] },
  ]);
  assert.deepEqual(losses(['write:notes', '*:*'], [], changes), []);
});

test('The roles of a history are those granted or removed in it, and the current ones', () => {
  const changes = history([undefined, { roles_removed: ['a'], roles_added: ['b'] }]);
  assert.deepEqual(rolesIn(changes, ['b', 'c']), ['b', 'c', 'a']);
});
