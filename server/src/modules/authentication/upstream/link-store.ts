import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { UpstreamIdentity } from './identity.ts';
import { type ProviderSettings, sourceOf } from './provider.ts';

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
