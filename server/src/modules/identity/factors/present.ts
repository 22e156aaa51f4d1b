import type { TenantId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import { MAX_FAILURES } from '../../authentication/second-factors/index.ts';
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
  };
}
