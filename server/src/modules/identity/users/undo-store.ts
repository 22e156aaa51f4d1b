import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { FactorId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type TenantTx, deleteFrom, from } from '../../../tenancy/gate.ts';

/** A change that the reader of an address can undo. */
interface Undo {
  readonly id: string;
  readonly auth_version: number;
  readonly destination: string;
  /** The identifiers from before the change. */
  readonly identifiers: readonly IdentifierRecord[];
  readonly expires_at: Date;
}

/** An undo with the proofs that the account had before the change. */
export interface StoredUndo extends Undo {
  /** The hash of the password; null if there was none. */
  readonly secret_hash: string | null;
  /** The IDs of the confirmed factors. */
  readonly factors: readonly FactorId[];
}

/**
 * Inserts an undo for an address that was verified before every change that can still be undone: an attacker who added
 * an address cannot restore it after it is removed.
 * @returns whether it was inserted
 */
export async function insertUndo(
  tx: TenantTx,
  userId: UserId,
  { id, auth_version, destination, identifiers, expires_at }: Undo,
): Promise<boolean> {
  const destinationEntry = JSON.stringify([{ identifier: destination, verified: true }]);
  const { numAffectedRows } = await sql`
    INSERT INTO identifier_undos
           (tenant_id, id, user_id, auth_version, destination, identifiers, expires_at, secret_hash, factors)
    SELECT ${tx.tenantId}, ${id}, ${userId}, ${auth_version}, ${destination},
           ${JSON.stringify(identifiers)}::jsonb, ${expires_at},
           (SELECT c.secret_hash FROM user_credentials c
             WHERE c.tenant_id = ${tx.tenantId} AND c.user_id = ${userId} AND c.type = 'password'),
           ARRAY(SELECT f.id FROM user_factors f
                  WHERE f.tenant_id = ${tx.tenantId} AND f.user_id = ${userId} AND f.confirmed_at IS NOT NULL)
     WHERE NOT EXISTS (
       SELECT FROM identifier_undos u
        WHERE u.tenant_id = ${tx.tenantId} AND u.user_id = ${userId} AND u.expires_at > ${tx.now}
          AND NOT u.identifiers @> ${destinationEntry}::jsonb)`.execute(tx.db);
  return numAffectedRows === 1n;
}

/** The undo's active user, whose row can be locked with it. */
export function findUserOfUndo(tx: TenantTx, undo: string, isLocked: boolean) {
  return from(tx, 'users')
    .select('id')
    .where('is_active', '=', true)
    .where('id', '=', from(tx, 'identifier_undos').select('user_id').where('id', '=', undo))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** All undos of a user, oldest first. */
export async function findUndosOf(tx: TenantTx, userId: UserId): Promise<StoredUndo[]> {
  const rows = await from(tx, 'identifier_undos')
    .select(['id', 'auth_version', 'destination', 'identifiers', 'expires_at'])
    .select(['secret_hash', 'factors'])
    .where('user_id', '=', userId)
    .orderBy('auth_version')
    .execute();
  return rows;
}

/** Deletes the undos of earlier identifier changes, so that a decision of an administrator cannot be undone by them. */
export async function forgetUndos(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'identifier_undos').where('user_id', '=', userId).execute();
}
