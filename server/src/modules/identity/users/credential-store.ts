import { randomBytes } from 'node:crypto';
import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type TenantTx, deleteFrom, from, update } from '../../../tenancy/gate.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';
import { countUpToLimit } from '../../../platform/db/page.ts';

/** The provider name of passwords that the service itself stores. */
const LOCAL = 'local';

/** Sets the password of a user. */
export async function setSecretHash(
  tx: TenantTx,
  userId: UserId,
  secretHash: string,
): Promise<void> {
  await tx.db
    .insertInto('user_credentials')
    .values({
      tenant_id: tx.tenantId,
      user_id: userId,
      type: 'password',
      provider: LOCAL,
      secret_hash: secretHash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'type', 'provider'])
        .doUpdateSet({ secret_hash: secretHash }),
    )
    .execute();
}

/** Replaces the hash if it is still the expected one. @returns whether it was replaced */
export async function replaceSecretHash(
  tx: TenantTx,
  userId: UserId,
  expected: string,
  secretHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'user_credentials')
    .set({ secret_hash: secretHash })
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .where('secret_hash', '=', expected)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findSecretHash(tx: TenantTx, userId: UserId): Promise<string | undefined> {
  const row = await from(tx, 'user_credentials')
    .select('secret_hash')
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .executeTakeFirst();
  return row?.secret_hash ?? undefined;
}

const KEY_BYTES = 32;

/**
 * Counts the users of each foreign hash scheme, so that logins with unknown identifiers can take as long as real ones.
 * @param localScheme the scheme of the hashes that this service creates
 */
export async function countForeignHashes(tx: TenantTx, localScheme: string): Promise<void> {
  const before = await lockForeignHashes(tx);
  const rows = await from(tx, 'user_credentials')
    .select(['scheme', (eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('users')])
    .where('scheme', 'is not', null)
    .groupBy('scheme')
    .orderBy('scheme')
    .execute();
  const foreign = rows.filter(({ scheme }) => scheme !== localScheme);
  if (foreign.length === 0 && before === null) return;
  const counted: ForeignHashes = {
    // The key remains, so that each unknown identifier keeps its scheme.
    key: before?.key ?? randomBytes(KEY_BYTES).toString('base64'),
    total: rows.reduce((sum, { users }) => sum + users, 0),
    schemes: Object.fromEntries(foreign.map(({ scheme, users }) => [scheme ?? '', users])),
    counted_at: tx.now.toISOString(),
  };
  await update(tx, 'tenants')
    .set({ foreign_hashes: foreign.length === 0 ? null : sql`${JSON.stringify(counted)}::jsonb` })
    .execute();
  tx.changed();
}

async function lockForeignHashes(tx: TenantTx): Promise<ForeignHashes | null> {
  const row = await from(tx, 'tenants')
    .select('foreign_hashes')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.foreign_hashes ?? null;
}

export async function deleteCredentials(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'user_credentials').where('user_id', '=', userId).execute();
}

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

/** @returns whether the user had an identity there */
export async function deleteIdentity(
  tx: TenantTx,
  userId: UserId,
  provider: IdentityProviderId,
): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'user_credentials')
    .where('user_id', '=', userId)
    .where('type', '=', 'oauth')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function countIdentities(tx: TenantTx, provider: IdentityProviderId): Promise<number> {
  const identities = from(tx, 'user_credentials')
    .where('provider', '=', provider)
    .where('type', '=', 'oauth');
  return countUpToLimit(tx, identities.select('user_id'));
}

/** Deletes the identities of all users at a provider. */
export async function deleteIdentitiesAt(
  tx: TenantTx,
  provider: IdentityProviderId,
): Promise<void> {
  await deleteFrom(tx, 'user_credentials')
    .where('type', '=', 'oauth')
    .where('provider', '=', provider)
    .execute();
}
