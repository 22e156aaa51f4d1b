import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';

export interface NewIdentifier extends Identifier {
  readonly verified: boolean;
}

/** Assigns these identifiers to a user, in this order. @returns false if another user has one of them */
export async function insertIdentifiers(
  tx: TenantTx,
  userId: UserId,
  list: readonly NewIdentifier[],
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_identifiers')
    .values(
      list.map(({ type, identifier, verified }, position) => ({
        tenant_id: tx.tenantId,
        user_id: userId,
        type,
        identifier,
        verified,
        position,
      })),
    )
    .onConflict((conflict) => conflict.columns(['tenant_id', 'identifier']).doNothing())
    .returning('identifier')
    .execute();
  return inserted.length === list.length;
}

/** Replaces the identifiers of a locked user. @returns false if another user has one of them */
export async function replaceIdentifiers(
  tx: TenantTx,
  userId: UserId,
  list: readonly NewIdentifier[],
): Promise<boolean> {
  await deleteFrom(tx, 'user_identifiers').where('user_id', '=', userId).execute();
  await setUpdatedAt(tx, userId);
  return insertIdentifiers(tx, userId, list);
}

/** Marks an identifier of a locked user as verified. @returns false if it was verified already, or is not the user's */
export async function setVerified(
  tx: TenantTx,
  userId: UserId,
  identifier: string,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'user_identifiers')
    .set({ verified: true })
    .where('user_id', '=', userId)
    .where('identifier', '=', identifier)
    .where('verified', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await setUpdatedAt(tx, userId);
  return true;
}

/** Updates `updated_at`, which applications receive in the claims of a user. */
async function setUpdatedAt(tx: TenantTx, userId: UserId): Promise<void> {
  await update(tx, 'users').set({ updated_at: tx.now }).where('id', '=', userId).execute();
}

/** Deletes the undos of earlier identifier changes, so that a decision of an administrator cannot be undone by them. */
export async function forgetUndos(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'identifier_undos').where('user_id', '=', userId).execute();
}

export interface Verification {
  readonly hasVerified: boolean;
  /** The email address to which a message would be sent. */
  readonly address: string | undefined;
}

export async function findVerification(tx: TenantTx, userId: UserId): Promise<Verification> {
  const identifiers = await from(tx, 'user_identifiers')
    .select(['type', 'identifier', 'verified'])
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute();
  return {
    hasVerified: identifiers.some(({ verified }) => verified),
    address: identifiers.find(({ type }) => type === 'email')?.identifier,
  };
}

/** The email addresses of a user, in their order. */
export async function findEmailAddresses(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await from(tx, 'user_identifiers')
    .select('identifier')
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .orderBy('position')
    .execute();
  return rows.map(({ identifier }) => identifier);
}
