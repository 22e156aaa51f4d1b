import type { TenantTx } from '../../../tenancy/gate.ts';

/**
 * Ends what was issued before the tenant was made inactive, when it is made active again: sessions for good, the access
 * tokens of agents by the version of their access. API keys and delegations stay: they are what new tokens are made of.
 * Triggers tell verifiers that are offline, and end the tokens of impersonating administrators.
 */
export async function endFormerAccess({ db, tenantId, now }: TenantTx): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: 'deactivated', ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('is_active', '=', true)
    .execute();
  await db
    .updateTable('agents')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute();
  await db
    .updateTable('delegations')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .execute();
}
