import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type ProviderSettings, sourceOf } from './provider-settings.ts';
import type { UpstreamIdentity } from './upstream-identity.ts';

/** @returns false if the identity is another user's, or the user has one at this provider */
export async function insertIdentity(
  tx: TenantTx,
  userId: UserId,
  provider: IdentityProviderId,
  subject: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('user_credentials')
    .values({
      tenant_id: tx.tenantId,
      user_id: userId,
      type: 'oauth',
      provider,
      external_id: subject,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The provider, which does not change until the commit, if logins can use it. */
export async function lockActiveProvider(
  tx: TenantTx,
  id: IdentityProviderId,
): Promise<{ readonly name: string; readonly source: string } | undefined> {
  const row = await tx.db
    .selectFrom('identity_providers')
    .select(['name', 'type', 'settings'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst();
  if (!row) return undefined;
  const settings = row.settings as unknown as ProviderSettings;
  return { name: row.name, source: sourceOf(row.type, settings) };
}

/** What waits for the proof of an account, and is used up by this. */
export async function takeWaitingIdentity(tx: TenantTx, flow: LoginFlowId, userId: UserId) {
  const row = await tx.db
    .deleteFrom('upstream_logins')
    .where('tenant_id', '=', tx.tenantId)
    .where('flow_id', '=', flow)
    .where('links_to', '=', userId)
    .returning(['provider_id', 'identity'])
    .executeTakeFirst();
  const identity = row?.identity as unknown as UpstreamIdentity | null | undefined;
  if (!row || !identity) return undefined;
  return { providerId: row.provider_id, subject: identity.subject, source: identity.source };
}

/** The identities of a user, in the order of their providers. */
export async function findIdentities(tx: TenantTx, userId: UserId): Promise<IdentityRecord[]> {
  const rows = await tx.db
    .selectFrom('user_credentials as c')
    .innerJoin('identity_providers as p', (join) =>
      join.onRef('p.tenant_id', '=', 'c.tenant_id').onRef('p.id', '=', 'c.provider'),
    )
    .select(['p.id', 'p.type', 'p.name', 'p.is_active'])
    .where('c.tenant_id', '=', tx.tenantId)
    .where('c.user_id', '=', userId)
    .where('c.type', '=', 'oauth')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
  return rows.map((row) => ({
    provider_id: row.id,
    tenant_id: tx.tenantId,
    type: row.type as IdentityRecord['type'],
    name: row.name,
    is_active: row.is_active,
  }));
}

/** @returns whether there was one */
export async function deleteIdentity(
  tx: TenantTx,
  userId: UserId,
  provider: IdentityProviderId,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('user_credentials')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'oauth')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
