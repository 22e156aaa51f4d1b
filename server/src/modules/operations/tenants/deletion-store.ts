import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/gate.ts';

/** The number of rows of one table that a transaction deletes. */
const BATCH = 5000;

/**
 * Every table with rows of tenants, ordered so that referencing tables come first. A test compares this list with the
 * database.
 */
export const TENANT_TABLES = [
  'audit_checkpoints',
  'audit_chain',
  'audit_unsealed',
  'audit_entries',
  'events',
  'idempotency_keys',
  'login_attempts',
  'login_flows',
  'challenges',
  'invitations',
  'messages',
  'message_templates',
  'suppressions',
  'webhook_deliveries',
  'webhooks',
  'logout_deliveries',
  'signal_deliveries',
  'signal_streams',
  'upstream_logins',
  'provider_domains',
  'identity_providers',
  'consent_resources',
  'consents',
  'oauth_resources',
  'registration_tokens',
  'client_registrations',
  'oauth_client_secrets',
  'client_images',
  'client_brandings',
  'oauth_clients',
  'pushed_requests',
  'device_grants',
  'spent_assertions',
  'delegations',
  'api_keys',
  'agents',
  'impersonations',
  'sessions',
  'status_dependents',
  'status_positions',
  'status_revocations',
  'status_ranges',
  'user_logins',
  'activity',
  'workspace_members',
  'user_roles',
  'user_credentials',
  'identifier_undos',
  'sms_traffic',
  'user_identifiers',
  'user_factors',
  'account_exports',
  'user_pictures',
  'users',
  'roles',
  'workspaces',
  'logos',
  'tenant_texts',
  'signing_keys',
  'tenant_data_keys',
  'tenant_domains',
  'tenants',
] as const;

/**
 * Deletes the tenant for all callers: requests no longer find it, its domains are free, and its data key is deleted,
 * so that its sealed data can never be opened again, not even from a copy of its rows.
 */
export async function startDeletion(tx: SystemTx, id: TenantId, now: Date): Promise<boolean> {
  tx.hooks.changed(id);
  const { numUpdatedRows } = await tx.db
    .updateTable('tenants')
    .set({ deleted_at: now, is_active: false })
    .where('tenant_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx.db
    .insertInto('former_tenants')
    .values({ id, deleted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.db.deleteFrom('tenant_data_keys').where('tenant_id', '=', id).execute();
  await tx.db.deleteFrom('tenant_domains').where('tenant_id', '=', id).execute();
  return true;
}

/** Returns the tenants whose rows are still being deleted. */
export async function findDeletedTenants(tx: SystemTx): Promise<TenantId[]> {
  const rows = await tx.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map((row) => row.tenant_id);
}

/**
 * Deletes one batch of a deleted tenant's rows; does nothing if the tenant is not deleted.
 * @returns whether anything was left to delete
 */
export async function deleteRowBatch(tx: SystemTx, id: TenantId): Promise<boolean> {
  const doomed = await tx.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', id)
    .where('deleted_at', 'is not', null)
    // Its row remains until the commit, so that no other node completes the deletion.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!doomed) return false;
  for (const table of TENANT_TABLES) {
    const name = sql.table(table);
    const { numAffectedRows } = await sql`
      DELETE FROM ${name} WHERE tenant_id = ${id} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${name} WHERE tenant_id = ${id} LIMIT ${BATCH}))`.execute(tx.db);
    if ((numAffectedRows ?? 0n) > 0n) return true;
  }
  return false;
}
