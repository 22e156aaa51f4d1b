import type { ApiKeyId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, type NewEvent, record } from '../../events/journal/index.ts';
import type { ApiKeyRow, RevokeReason } from './store.ts';

function about(key: ApiKeyRow) {
  return { key_id: key.id, agent_id: key.agent_id };
}

export function recordCreation(tx: TenantTx, by: Actor, key: ApiKeyRow): Promise<void> {
  const { id, agent_id, name, scopes, allowed_ips } = key;
  return record(tx, by, {
    action: 'apikey.created',
    target: { kind: 'api_key', id },
    details: { agent_id, name, scopes, allowed_ips, expires_at: key.expires_at.toISOString() },
    events: [{ type: 'apikey.created', data: about(key) }],
  });
}

export function recordRotation(
  tx: TenantTx,
  by: Actor,
  key: ApiKeyRow,
  successorId: ApiKeyId,
  overlapDays: number,
): Promise<void> {
  const over: NewEvent[] =
    overlapDays > 0 ? [] : [{ type: 'apikey.revoked', data: { ...about(key), reason: 'rotated' } }];
  return record(tx, by, {
    action: 'apikey.rotated',
    target: { kind: 'api_key', id: key.id },
    details: { agent_id: key.agent_id, successor_id: successorId, overlap_days: overlapDays },
    events: [
      { type: 'apikey.rotated', data: { ...about(key), successor_id: successorId } },
      ...over,
    ],
  });
}

/** That a key is rejected from now on; because it was reported, or revoked. */
export function recordRevocation(
  tx: TenantTx,
  by: Actor,
  key: ApiKeyRow,
  reason: RevokeReason,
): Promise<void> {
  return record(tx, by, {
    action: reason === 'leaked' ? 'apikey.reported' : 'apikey.revoked',
    target: { kind: 'api_key', id: key.id },
    details: { agent_id: key.agent_id, reason },
    events: [{ type: 'apikey.revoked', data: { ...about(key), reason } }],
  });
}
