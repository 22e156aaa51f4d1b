import type { FlowNeed, LoginFlow } from '@keywright/contract/records/login-flow';
import type { TenantId } from '@keywright/contract/ids';
import type { StoredFlow } from './store.ts';

export function presentFlow(
  tenantId: TenantId,
  { id, purpose, expiresAt }: Pick<StoredFlow, 'id' | 'purpose' | 'expiresAt'>,
  status: LoginFlow['status'],
  needs: readonly FlowNeed[] = [],
): LoginFlow {
  return {
    id,
    tenant_id: tenantId,
    purpose,
    status,
    needs: [...needs],
    expires_at: expiresAt.toISOString(),
  };
}
