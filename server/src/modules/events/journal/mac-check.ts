import type { AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { isAuthentic } from './mac.ts';
import type { MacCheck } from './verdict.ts';

/** Recognizes the entries of a tenant that the service wrote. */
export async function findMacCheck({ tenantId }: TenantData, keys: AuditKeys): Promise<MacCheck> {
  // Without the data key, everything else is still verified.
  const key = await keys.find(tenantId).catch(() => undefined);
  return { isAuthentic: key && ((entry) => isAuthentic(key, entry)) };
}
