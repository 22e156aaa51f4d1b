import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { EntryRow, PlaceInChain } from './audit-store.ts';

/** Without the hash, which is computed from this. */
type Place = Pick<PlaceInChain, 'position' | 'previous_hash'> & Partial<PlaceInChain>;

/** An entry as shown, exported and hashed. */
export function presentEntry(row: EntryRow, place: Place | undefined): AuditEntry {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    created_at: row.created_at.toISOString(),
    actor: {
      kind: row.actor_kind as AuditEntry['actor']['kind'],
      id: row.actor_id,
      on_behalf_of: row.on_behalf_of,
      credential: row.credential,
    },
    action: row.action as AuditEntry['action'],
    target: { kind: row.target_kind as AuditEntry['target']['kind'], id: row.target_id },
    outcome: row.outcome as AuditEntry['outcome'],
    address: row.address,
    request_id: row.request_id,
    count: row.count,
    details: row.details as AuditEntry['details'],
    ...(row.mac ? { mac: row.mac.toString('base64url') } : {}),
    position: place?.position ?? null,
    previous_hash: place?.previous_hash?.toString('base64url') ?? null,
    hash: place?.hash?.toString('base64url') ?? null,
  };
}
