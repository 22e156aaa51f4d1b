import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantData } from '../../../tenancy/gate.ts';

/** A verified identifier, and how many codes to it, as a second factor, were wrong in a row. */
export interface VerifiedIdentifier {
  readonly identifier: string;
  readonly failures: number;
}

/** The verified identifiers of the user, in their order. */
export function findVerified(data: TenantData, userId: UserId): Promise<VerifiedIdentifier[]> {
  return data.transaction((tx) =>
    tx.db
      .selectFrom('user_identifiers')
      .select(['identifier', 'failures'])
      .where('tenant_id', '=', tx.tenantId)
      .where('user_id', '=', userId)
      .where('verified', '=', true)
      .orderBy('position')
      .execute(),
  );
}

/**
 * Counts a code before it is compared, so that parallel guesses do not exceed the limit.
 * @returns how many were wrong in a row if this one is; undefined: none is compared any more
 */
export async function countFailure(
  data: TenantData,
  userId: UserId,
  identifier: string,
  maxFailures: number,
): Promise<number | undefined> {
  const row = await data.transaction((tx) =>
    tx.db
      .updateTable('user_identifiers')
      .set({ failures: sql`failures + 1` })
      .where('tenant_id', '=', tx.tenantId)
      .where('user_id', '=', userId)
      .where('identifier', '=', identifier)
      .where('verified', '=', true)
      .where('failures', '<', maxFailures)
      .returning('failures')
      .executeTakeFirst(),
  );
  return row?.failures;
}

/** After a code that was right. */
export async function forgetFailures(
  data: TenantData,
  userId: UserId,
  identifier: string,
): Promise<void> {
  await data.transaction((tx) =>
    tx.db
      .updateTable('user_identifiers')
      .set({ failures: 0 })
      .where('tenant_id', '=', tx.tenantId)
      .where('user_id', '=', userId)
      .where('identifier', '=', identifier)
      .execute(),
  );
}
