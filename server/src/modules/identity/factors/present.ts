import type { TenantId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import { MAX_FAILURES } from '../../authentication/proofs/index.ts';
import type { FactorRow } from './store.ts';

export function presentFactor(tenantId: TenantId, row: FactorRow): FactorRecord {
  return {
    id: row.id,
    tenant_id: tenantId,
    user_id: row.user_id,
    type: row.type as FactorRecord['type'],
    name: row.name,
    created_at: row.created_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    is_suspended: row.failures >= MAX_FAILURES,
    ...passkeyOf(row),
  };
}

function passkeyOf(row: FactorRow): Pick<FactorRecord, 'passkey'> {
  const { rp_id, aaguid, transports } = row;
  if (rp_id === null || aaguid === null) return {};
  const is_device_bound = row.backup_eligible === false;
  const is_synced = row.backed_up === true;
  return { passkey: { rp_id, aaguid, is_synced, is_device_bound, transports: transports ?? [] } };
}
