import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** @returns false if the identity belongs to another user, or the user has another one at this provider */
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

/** The identity that waits for the proof of an account. It is used up. */
export async function takeWaitingIdentity(
  tx: TenantTx,
  flow: LoginFlowId,
  userId: UserId,
): Promise<
  | { readonly providerId: IdentityProviderId; readonly subject: string; readonly source: string }
  | undefined
> {
  const row = await tx.db
    .deleteFrom('upstream_logins')
    .where('tenant_id', '=', tx.tenantId)
    .where('flow_id', '=', flow)
    .where('links_to', '=', userId)
    .returning([
      'provider_id',
      sql<string | null>`identity->>'subject'`.as('subject'),
      sql<string | null>`identity->>'source'`.as('source'),
    ])
    .executeTakeFirst();
  const { subject = null, source = null } = row ?? {};
  if (!row || subject === null || source === null) return undefined;
  return { providerId: row.provider_id, subject, source };
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
    type: row.type,
    name: row.name,
    is_active: row.is_active,
  }));
}

/** @returns whether the user had an identity there */
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
