import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { deleteFrom, from, type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';

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

/** Whether a user has proven the address. */
export async function isVerifiedAddress(tx: TenantTx, identifier: string): Promise<boolean> {
  const row = await from(tx, 'user_identifiers')
    .select('user_id')
    .where('identifier', '=', identifier)
    .where('verified', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first verified email address of an active user. */
export function findVerifiedAddress(tx: TenantTx, userId: UserId) {
  return from(tx, 'users as u')
    .innerJoin('user_identifiers as i', (join) =>
      join.onRef('i.tenant_id', '=', 'u.tenant_id').onRef('i.user_id', '=', 'u.id'),
    )
    .select(['i.identifier', 'u.auth_version'])
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .where('i.type', '=', 'email')
    .where('i.verified', '=', true)
    .orderBy('i.position')
    .limit(1)
    .executeTakeFirst();
}

/** A verified identifier, and the number of consecutive wrong second-factor codes for it. */
export interface VerifiedIdentifier {
  readonly identifier: string;
  readonly failures: number;
}

/** The verified identifiers of the user, in their order. */
export function findVerifiedIdentifiers(
  data: TenantData,
  userId: UserId,
): Promise<VerifiedIdentifier[]> {
  return data.transaction((tx) =>
    from(tx, 'user_identifiers')
      .select(['identifier', 'failures'])
      .where('user_id', '=', userId)
      .where('verified', '=', true)
      .orderBy('position')
      .execute(),
  );
}

/**
 * Counts a code before it is compared, so that parallel guesses cannot exceed the limit.
 * @returns the number of consecutive wrong codes if this code is wrong; undefined if no more codes are compared
 */
export async function countWrongCode(
  data: TenantData,
  userId: UserId,
  identifier: string,
  maxFailures: number,
): Promise<number | undefined> {
  const row = await data.transaction((tx) =>
    update(tx, 'user_identifiers')
      .set({ failures: sql`failures + 1` })
      .where('user_id', '=', userId)
      .where('identifier', '=', identifier)
      .where('verified', '=', true)
      .where('failures', '<', maxFailures)
      .returning('failures')
      .executeTakeFirst(),
  );
  return row?.failures;
}

/** Ends the count of wrong codes after a correct code. */
export async function resetWrongCodes(
  data: TenantData,
  userId: UserId,
  identifier: string,
): Promise<void> {
  await data.transaction((tx) =>
    update(tx, 'user_identifiers')
      .set({ failures: 0 })
      .where('user_id', '=', userId)
      .where('identifier', '=', identifier)
      .execute(),
  );
}

/** The first identifier of a user. */
export async function findFirstIdentifier(
  tx: TenantTx,
  userId: UserId,
): Promise<string | undefined> {
  const row = await from(tx, 'user_identifiers')
    .select('identifier')
    .where('user_id', '=', userId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.identifier;
}

/** The verified email addresses of a user. */
export async function listVerifiedAddresses(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await from(tx, 'user_identifiers')
    .select('identifier')
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .where('verified', '=', true)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.identifier);
}

/** The name of the account that authenticators display: the user's first identifier. */
export async function findAccountName(tx: TenantTx, userId: UserId): Promise<string> {
  return (await findFirstIdentifier(tx, userId)) ?? userId;
}
