import type { AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { isAuthentic } from './mac.ts';
import type { MacCheck } from './verdict.ts';

/** What tells the entries of a tenant that the service wrote. */
export async function findMacCheck({ tenantId }: TenantData, keys: AuditKeys): Promise<MacCheck> {
  // Where the data key does not open, what else the log shows is verified all the same.
  const key = await keys.find(tenantId).catch(() => undefined);
  return { isAuthentic: key && ((entry) => isAuthentic(key, entry)) };
}
