import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntryId, TenantId } from '@keywright/contract/ids';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { hashOf } from './audit-integrity.ts';
import { verifyLog } from './audit-verification.ts';

const TENANT = 'org_one' as TenantId;

/** An entry whose hash is right. */
function entry(position: number, previous: AuditEntry | undefined, details = {}): AuditEntry {
  const plain: AuditEntry = {
    id: `aud_${position}` as AuditEntryId,
    tenant_id: TENANT,
    created_at: '2026-01-15T00:00:00.000Z',
    actor: { kind: 'user', id: 'user:ana', on_behalf_of: null, credential: null },
    action: 'user.created',
    target: { kind: 'user', id: 'user:bob' },
    outcome: 'success',
    address: null,
    request_id: null,
    count: 1,
    details,
    position,
    previous_hash: previous?.hash ?? null,
    hash: null,
  };
  return { ...plain, hash: hashOf(plain).toString('base64url') };
}

/** The problems found in these entries, in order, except for entries that no checkpoint covers. */
async function foundIn(...entries: readonly AuditEntry[]): Promise<string[]> {
  async function* lines() {
    for (const auditEntry of entries) yield { kind: 'entry', entry: auditEntry } as const;
  }
  const { findings } = await verifyLog(TENANT, lines(), {
    keyOf: () => undefined,
    checkpoints: [],
  });
  return findings
    .filter(({ problem }) => problem !== 'unsigned')
    .map(({ problem, position }) => `${problem} ${position}`);
}

describe('in entries without checkpoints or MACs', () => {
  const first = entry(1, undefined, { role: 'member' });
  const second = entry(2, first);

  test('An intact chain of entries without checkpoints or MACs verifies with no findings', async () => {
    assert.deepEqual(await foundIn(first, second), []);
  });

  test('Any changed field of an entry is found without checkpoints or MACs', async () => {
    const changes: readonly Partial<AuditEntry>[] = [
      { details: { role: 'admin' } },
      { actor: { ...first.actor, id: 'user:eve' } },
      { outcome: 'failure' },
      { created_at: '2026-01-16T00:00:00.000Z' },
    ];
    for (const change of changes) {
      assert.deepEqual(await foundIn({ ...first, ...change }, second), ['changed 1']);
    }
  });

  test('A removed start of the chain is found without checkpoints or MACs, even if positions were shifted', async () => {
    const moved = { ...second, position: 1 };
    assert.deepEqual(await foundIn({ ...moved, hash: hashOf(moved).toString('base64url') }), [
      'changed 1',
    ]);
  });

  test('A second entry at the position of another is found without checkpoints or MACs', async () => {
    assert.deepEqual(await foundIn(first, second, entry(2, first, { role: 'x' })), ['reordered 2']);
  });
});
