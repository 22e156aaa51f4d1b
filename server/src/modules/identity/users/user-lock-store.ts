import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** PostgreSQL row locks, strongest first. `share` waits for changes to the row, `key share` only for `update`. */
type LockMode = 'update' | 'no key update' | 'share' | 'key share';

interface UserLock {
  /** Default: `update`. */
  readonly mode?: LockMode;
  /** Locks the user only if they still have this `auth_version`. */
  readonly authVersion?: number;
}

function userRow(tx: TenantTx, id: UserId) {
  return tx.db.selectFrom('users').where('tenant_id', '=', tx.tenantId).where('id', '=', id);
}

/** Locks a user, active or not, until the commit. */
export function lockUser(tx: TenantTx, id: UserId) {
  return userRow(tx, id).select('is_active').forUpdate().executeTakeFirst();
}

/**
 * Locks an active user until the commit.
 * @returns undefined if the user is unknown or inactive, or has another `auth_version`
 */
export function lockActiveUser(
  tx: TenantTx,
  id: UserId,
  { mode = 'update', authVersion }: UserLock = {},
) {
  let query = userRow(tx, id)
    .select(['has_second_factor', 'auth_version'])
    .where('is_active', '=', true);
  if (authVersion !== undefined) query = query.where('auth_version', '=', authVersion);
  const locked = {
    update: () => query.forUpdate(),
    'no key update': () => query.forNoKeyUpdate(),
    share: () => query.forShare(),
    'key share': () => query.forKeyShare(),
  };
  return locked[mode]().executeTakeFirst();
}

/** Locks a user for a decision that was made at an `auth_version`. @returns whether they are active and unchanged */
export async function lockUnchangedUser(
  tx: TenantTx,
  { id, authVersion }: { readonly id: UserId; readonly authVersion: number },
): Promise<boolean> {
  return (await lockActiveUser(tx, id, { authVersion })) !== undefined;
}

/**
 * Locks the caller before a change to how they log in. A caller with a second factor must have logged in with it (NIST
 * SP 800-63B-4 §4.1.2.1).
 * @param maxAge the maximum age of that login in seconds; default: any, for routes that already require a recent login
 * @throws AppError TOKEN_INVALID, STEP_UP_REQUIRED
 */
export async function lockOneself(
  tx: TenantTx,
  { subject, claims }: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
  maxAge?: number,
): Promise<{ readonly auth_version: number }> {
  const user = (await lockActiveUser(tx, subject)) ?? fail('TOKEN_INVALID');
  const required = user.has_second_factor ? { acr: 'aal2' as const, maxAge } : {};
  if (!isFresh(claims, required, tx.now.getTime() / 1000)) {
    fail('STEP_UP_REQUIRED', { stepUp: required });
  }
  return user;
}

/** Raises the version after a change to how the user logs in. @returns the new version */
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

export async function userExists(tx: TenantTx, id: UserId): Promise<boolean> {
  return (await userRow(tx, id).select('id').executeTakeFirst()) !== undefined;
}

type UserMetadata = Readonly<Record<string, unknown>>;

/** The `user_metadata` of a user. @param isLocked whether to lock the user until the commit */
export async function findUserMetadata(
  tx: TenantTx,
  id: UserId,
  isLocked = false,
): Promise<UserMetadata | undefined> {
  const row = await userRow(tx, id)
    .select('user_metadata')
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.user_metadata;
}
