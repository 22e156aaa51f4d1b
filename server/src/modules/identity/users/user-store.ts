import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { findUsers as kwFindUsers } from '../../../../sql/identity/kw_find_users.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import { deleteFrom, from, type Gate, type TenantTx, update } from '../../../tenancy/gate.ts';
import { deletePicture } from './picture-store.ts';
import type { UserRow } from './user-list-store.ts';
import { type Appearance, nameKey } from './user-rules.ts';

/** A user and their tenant. */
export interface UserRef {
  readonly tenantId: TenantId;
  readonly id: UserId;
}

/** Reads users of any tenants, in the order of the references, in one round trip and its own transaction. */
export async function findManyUsers(
  gate: Gate,
  refs: readonly UserRef[],
): Promise<(UserRow | undefined)[]> {
  const tenants = refs.map((ref) => ref.tenantId);
  const [row] = await gate.callMany(kwFindUsers, { tenants, users: refs.map((ref) => ref.id) });
  return refs.map((_, index) => {
    const user = row?.answer[index];
    return user ? { ...user, ...timesOf(user) } : undefined;
  });
}

/** The times of a user whom a database function returned as JSON. */
export function timesOf(times: {
  readonly created_at: string;
  readonly last_login_at: string | null;
}) {
  const { created_at: createdAt, last_login_at: lastLoginAt } = times;
  return {
    created_at: new Date(createdAt),
    last_login_at: lastLoginAt === null ? null : new Date(lastLoginAt),
  };
}

/** A user to insert. */
export interface UserToInsert extends Partial<Appearance> {
  readonly id: UserId;
  readonly createdAt: Date;
}

export async function insertUser(
  tx: TenantTx,
  { id, createdAt, name = null, picture = null }: UserToInsert,
): Promise<void> {
  await sql`
    WITH added AS (
      INSERT INTO users (tenant_id, id, name, name_key, picture, created_at)
      VALUES (${tx.tenantId}, ${id}, ${name}, ${nameKey(name)}, ${picture}, ${createdAt})
      RETURNING tenant_id, id)
    INSERT INTO user_logins (tenant_id, user_id) SELECT tenant_id, id FROM added`.execute(tx.db);
}

/** @param changesLogin whether a means of login changes. Logins that were decided before that cannot open a session */
export async function updateUserRow(
  tx: TenantTx,
  id: UserId,
  values: Partial<Appearance> & {
    readonly is_active?: boolean;
    readonly metadata?: string;
    readonly user_metadata?: string;
  },
  changesLogin: boolean,
): Promise<void> {
  if (Object.keys(values).length === 0 && !changesLogin) return;
  if (values.picture !== undefined) await deletePicture(tx, id);
  const claims = [values.metadata, values.name, values.picture];
  await update(tx, 'users')
    .set((eb) => ({
      ...values,
      ...(values.name !== undefined && { name_key: nameKey(values.name) }),
      ...(claims.some((claim) => claim !== undefined) && { updated_at: tx.now }),
      ...(changesLogin && { auth_version: eb('auth_version', '+', 1) }),
    }))
    .where('id', '=', id)
    .execute();
}

/** Sessions, credentials, roles and memberships are deleted by cascade. */
export async function deleteUserRow(tx: TenantTx, id: UserId): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'users').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** PostgreSQL row locks, strongest first. `share` waits for changes to the row, `key share` only for `update`. */
type LockMode = 'update' | 'no key update' | 'share' | 'key share';

interface UserLock {
  /** Default: `update`. */
  readonly mode?: LockMode;
  /** Locks the user only if they still have this `auth_version`. */
  readonly authVersion?: number;
}

function userRow(tx: TenantTx, id: UserId) {
  return from(tx, 'users').where('id', '=', id);
}

/** Whether a user is active; undefined if the user is unknown. */
export async function isUserActive(tx: TenantTx, id: UserId): Promise<boolean | undefined> {
  return (await userRow(tx, id).select('is_active').executeTakeFirst())?.is_active;
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
  const { auth_version: version } = await update(tx, 'users')
    .set((eb) => ({
      auth_version: eb('auth_version', '+', 1),
      has_second_factor: sql<boolean>`has_second_factor AND EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = users.tenant_id AND f.user_id = users.id AND f.type IN ('totp', 'passkey')
           AND f.confirmed_at IS NOT NULL)`,
    }))
    .where('id', '=', userId)
    .returning('auth_version')
    .executeTakeFirstOrThrow();
  return version;
}

export async function userExists(tx: TenantTx, id: UserId): Promise<boolean> {
  return (await userRow(tx, id).select('id').executeTakeFirst()) !== undefined;
}

/** The data that users write about themselves. @param isLocked whether to lock the user until the commit */
export function findProfile(tx: TenantTx, id: UserId, isLocked = false) {
  return userRow(tx, id)
    .select(['name', 'picture', 'user_metadata'])
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

/**
 * Updates the user after a change to their factors. Logins that were decided before the change cannot open a session.
 * @returns the new `users.auth_version`
 */
export async function updateFactorState(tx: TenantTx, userId: UserId): Promise<number> {
  const { auth_version: authVersion } = await update(tx, 'users')
    .set((eb) => ({
      auth_version: eb('auth_version', '+', 1),
      has_second_factor: sql<boolean>`EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = users.tenant_id AND f.user_id = users.id AND f.type IN ('totp', 'passkey')
           AND f.confirmed_at IS NOT NULL)`,
    }))
    .where('id', '=', userId)
    .returning('auth_version')
    .executeTakeFirstOrThrow();
  return authVersion;
}

/** The metadata of a user, that of administrators and their own. */
export function findAllMetadata(tx: TenantTx, userId: UserId) {
  return from(tx, 'users')
    .select(['metadata', 'user_metadata'])
    .where('id', '=', userId)
    .executeTakeFirst();
}
