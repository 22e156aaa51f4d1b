import type { AuditKey, AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { confirmedPosition, isAuthentic } from './mac.ts';
import { findBeforeMacs } from './sealing-store.ts';
import type { MacCheck } from './verdict.ts';

/** What tells the entries of a tenant that the service wrote. */
export async function findMacCheck(tenant: TenantData, keys: AuditKeys): Promise<MacCheck> {
  const { tenantId } = tenant;
  const key = await findUsableKey(tenant, keys);
  if (!key) return { isAuthentic: undefined, olderUpTo: 0 };
  const kept = await tenant.transaction((tx) => findBeforeMacs(tx, tenantId));
  return {
    isAuthentic: (entry) => isAuthentic(key, entry),
    olderUpTo: confirmedPosition(key, tenantId, kept),
  };
}

/** Nothing too where the data key does not open: what else the log shows is looked at all the same. */
function findUsableKey({ tenantId }: TenantData, keys: AuditKeys): Promise<AuditKey | undefined> {
  return keys.find(tenantId).catch(() => undefined);
}
