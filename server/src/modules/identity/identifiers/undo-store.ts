import type { UserId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** What an address can undo a change to. */
export interface Undo {
  readonly id: string;
  readonly auth_version: number;
  readonly destination: string;
  /** Before the change. */
  readonly identifiers: readonly IdentifierRecord[];
  readonly expires_at: Date;
}

/**
 * Only for an address that was verified before every change that can still be undone: whoever added one cannot bring it
 * back after its owner removed it.
 * @returns whether the address gets it
 */
export async function insertUndo(
  tx: TenantTx,
  userId: UserId,
  { id, auth_version, destination, identifiers, expires_at }: Undo,
): Promise<boolean> {
  const own = JSON.stringify([{ identifier: destination, verified: true }]);
  const { numAffectedRows } = await sql`
    INSERT INTO identifier_undos (tenant_id, id, user_id, auth_version, destination, identifiers, expires_at)
    SELECT ${tx.tenantId}, ${id}, ${userId}, ${auth_version}, ${destination},
           ${JSON.stringify(identifiers)}::jsonb, ${expires_at}
     WHERE NOT EXISTS (
       SELECT FROM identifier_undos u
        WHERE u.tenant_id = ${tx.tenantId} AND u.user_id = ${userId} AND u.expires_at > ${tx.now}
          AND NOT u.identifiers @> ${own}::jsonb)`.execute(tx.db);
  return numAffectedRows === 1n;
}

/** Locks the user whose change it is. @returns undefined if there is none, or they are inactive */
export function lockUserOf(tx: TenantTx, undo: string) {
  return tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('is_active', '=', true)
    .where('id', '=', (select) =>
      select
        .selectFrom('identifier_undos')
        .select('user_id')
        .where('tenant_id', '=', tx.tenantId)
        .where('id', '=', undo),
    )
    .forUpdate()
    .executeTakeFirst();
}

/** Deletes all of a locked user. @returns what they were, the first change first */
export async function takeUndos(tx: TenantTx, userId: UserId): Promise<Undo[]> {
  const rows = await tx.db
    .deleteFrom('identifier_undos')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .returning(['id', 'auth_version', 'destination', 'identifiers', 'expires_at'])
    .execute();
  const undos = rows as unknown as Undo[];
  return undos.toSorted((one, other) => one.auth_version - other.auth_version);
}
