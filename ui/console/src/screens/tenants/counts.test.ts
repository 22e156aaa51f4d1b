import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsOf } from './counts.ts';

test('A count above its limit is shown as more, and a count at the limit as exact', () => {
  const nothing = { sessions: 0, workspaces: 1, agents: 0, api_keys: 0, clients: 0, webhooks: 0 };
  const counts = countsOf({
    tenant_id: 'org_acme',
    ...nothing,
    users: 10_001,
    audit_entries: 10_000,
  });
  const found = Object.fromEntries(counts.map(({ title, ...rest }) => [title, rest]));
  assert.deepEqual(found['users'], { count: 10_000, isMore: true });
  assert.deepEqual(found['auditEntries'], { count: 10_000, isMore: false });
  assert.deepEqual(found['workspaces'], { count: 1, isMore: false });
  assert.equal(counts.length, 8);
});
