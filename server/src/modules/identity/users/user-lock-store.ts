import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Locks a user. @returns whether they are active, and still as they were found */
export async function lockUser(
  tx: TenantTx,
  { id, authVersion }: { readonly id: UserId; readonly authVersion: number },
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('auth_version', '=', authVersion)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** After a change of how the user logs in. @returns the new version */
export async function raiseAuthVersion(tx: TenantTx, userId: UserId): Promise<number> {
  const { auth_version: version } = await tx.db
    .updateTable('users')
    .set((eb) => ({
      auth_version: eb('auth_version', '+', 1),
      has_second_factor: sql<boolean>`has_second_factor AND EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = users.tenant_id AND f.user_id = users.id AND f.type IN ('totp', 'passkey')
           AND f.confirmed_at IS NOT NULL)`,
    }))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .returning('auth_version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Locks an active user until the commit, so that changes of their factors are serialized. */
export function lockActiveUser(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('users')
    .select(['has_second_factor', 'auth_version'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Locks the caller, whose ways in are about to change. NIST SP 800-63B-4 §4.1.2.1: if they have a second factor, they
 * logged in with it.
 * @param maxAge how long ago, in seconds; default: any time, as where the route demands a recent login of everybody
 * @returns `users.auth_version`
 * @throws AppError TOKEN_INVALID, STEP_UP_REQUIRED
 */
export async function lockOneself(
  tx: TenantTx,
  { subject, claims }: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
  maxAge?: number,
): Promise<{ readonly auth_version: number }> {
  const user = (await lockActiveUser(tx, subject)) ?? fail('TOKEN_INVALID');
  const demand = user.has_second_factor ? { acr: 'aal2' as const, maxAge } : {};
  if (!isFresh(claims, demand, tx.now.getTime() / 1000)) {
    fail('STEP_UP_REQUIRED', { stepUp: demand });
  }
  return user;
}
