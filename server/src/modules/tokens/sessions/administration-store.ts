import type { OAuthClientId, SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { SessionState, SessionEndReason } from '@keywright/contract/records/session';
import { sql } from 'kysely';
import { BY_ID, countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { from, type SystemTx, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { EndedSession } from '../../events/journal/index.ts';

const SHOWN = [
  'id',
  'tenant_id',
  'user_id',
  'workspace_id',
  'kind',
  'client_id',
  'parent_id',
  'scopes',
  'auth_time',
  'acr',
  'amr',
  'user_agent',
  'ip_address',
  'created_at',
  'refresh_issued_at',
  'expires_at',
  'is_active',
  'end_reason',
  'ended_at',
] as const;

/** Selects whose sessions: those of all users or of one, optionally except one user's. */
export interface Owners {
  readonly only: UserId | undefined;
  readonly except?: UserId;
}

interface SessionFilter extends Owners {
  /** Undefined: sessions of any client, and of direct logins. */
  readonly clientId: OAuthClientId | undefined;
  /** Undefined: also sessions that have ended or expired. */
  readonly isActive: boolean | undefined;
  readonly state: SessionState | undefined;
}

function sessionsOf(tx: TenantTx, { only, except, clientId, isActive, state }: SessionFilter) {
  let query = from(tx, 'sessions');
  if (only !== undefined) query = query.where('user_id', '=', only);
  if (except !== undefined) query = query.where('user_id', '!=', except);
  if (clientId !== undefined) {
    query = query.where(only === undefined ? atClient(clientId) : ofUserAtClient(clientId));
  }
  if (state !== undefined) query = query.where('is_active', '=', state !== 'ended');
  if (state === 'active') query = query.where('expires_at', '>', tx.now);
  if (state === 'expired') query = query.where('expires_at', '<=', tx.now);
  if (isActive === undefined) return query;
  return query.where((eb) => {
    const isOpen = eb.and([eb('is_active', '=', true), eb('expires_at', '>', tx.now)]);
    return isActive ? isOpen : eb.not(isOpen);
  });
}

function atClient(id: OAuthClientId) {
  return sql<boolean>`client_id = ${id}`;
}

/** In a form that no index supports: the index of users leads to fewer sessions than that of clients. */
function ofUserAtClient(id: OAuthClientId) {
  return sql<boolean>`client_id IS NOT DISTINCT FROM ${id}`;
}

/** A page, plus one row if there are more. */
export function findSessions(tx: TenantTx, page: Page, filter: SessionFilter) {
  const isOfAll = filter.only === undefined && filter.clientId === undefined;
  const found = sessionsOf(tx, filter).select(SHOWN);
  return pageOf(found, page, isOfAll ? BY_ID : undefined).execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export function countSessions(tx: TenantTx, filter: SessionFilter): Promise<number> {
  return countUpToLimit(tx, sessionsOf(tx, filter).select('id'));
}

/** An ended session, and its child sessions that ended with it. */
interface EndedFamily {
  readonly session: EndedSession;
  readonly children: readonly EndedSession[];
}

/** Ends a live session and its child sessions. @returns undefined if the session was not live */
export async function endFamily(
  tx: TenantTx,
  id: SessionId,
  reason: SessionEndReason,
): Promise<EndedFamily | undefined> {
  const row = await update(tx, 'sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning(['user_id', 'kind'])
    .executeTakeFirst();
  if (!row) return undefined;
  const userId = row.user_id;
  const children =
    row.kind === 'browser' ? await endLive(tx, userId, reason, { openedFrom: [id] }) : [];
  return { session: { id, user_id: userId }, children };
}

/**
 * Ends every live session of a user, except one if it is named. The named session also ends if its parent ends: no
 * session outlives its parent.
 */
export async function endSessionsOf(
  tx: TenantTx,
  userId: UserId,
  reason: SessionEndReason,
  except?: SessionId,
): Promise<EndedSession[]> {
  const ended = await endLive(tx, userId, reason, { except });
  const parents = ended.filter(({ kind }) => kind === 'browser').map(({ id }) => id);
  if (parents.length === 0) return ended;
  return [...ended, ...(await endLive(tx, userId, reason, { openedFrom: parents }))];
}

interface Ended extends EndedSession {
  readonly kind: string;
}

/**
 * Ends live sessions of a user: all except one, or those whose parents have ended. Children are ended in a separate,
 * later statement: a request that opens another child holds its parent's lock until it commits, so only a later
 * snapshot contains that child (ADR 41). Rows are locked in the same order as by rotations, to avoid deadlocks.
 */
async function endLive(
  tx: TenantTx,
  userId: UserId,
  reason: SessionEndReason,
  {
    except,
    openedFrom,
  }: { readonly except?: SessionId | undefined; readonly openedFrom?: SessionId[] },
): Promise<Ended[]> {
  let live = from(tx, 'sessions')
    .select(['id', 'kind'])
    .where('user_id', '=', userId)
    .where('is_active', '=', true);
  if (except !== undefined) live = live.where('id', '!=', except);
  if (openedFrom)
    live = live.where('login_id', 'in', openedFrom).where('parent_id', 'is not', null);
  const found = await live.orderBy('id').forUpdate().execute();
  if (found.length === 0) return [];
  await update(tx, 'sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    // Also filtered by user: with many IDs alone, PostgreSQL may read all sessions of the tenant.
    .where('user_id', '=', userId)
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  return found.map(({ id, kind }) => ({ id, user_id: userId, kind }));
}

/** Ends up to `limit` live sessions of the tenant, of any user: the next sessions after that ID, in ID order. */
export async function endNextSessions(
  tx: TenantTx,
  reason: SessionEndReason,
  after: string,
  limit: number,
): Promise<EndedSession[]> {
  const next = from(tx, 'sessions')
    .select('id')
    .where(sql<boolean>`id > ${after}`)
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .orderBy('id')
    .limit(limit);
  const ended = await update(tx, 'sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('id', 'in', next)
    .returning(['id', 'user_id'])
    .execute();
  return ended.toSorted((left, other) => (left.id < other.id ? -1 : 1));
}

/** Ends the live sessions of a client, of all its users or of one. Locks rows in the same order as rotations. */
export async function endSessionsOfClient(
  tx: TenantTx,
  clientId: OAuthClientId,
  reason: SessionEndReason,
  userId?: UserId,
): Promise<EndedSession[]> {
  const isIncluded =
    userId === undefined
      ? atClient(clientId)
      : sql<boolean>`user_id = ${userId} AND ${ofUserAtClient(clientId)}`;
  const found = await from(tx, 'sessions')
    .select(['id', 'user_id'])
    .where(isIncluded)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (found.length === 0) return [];
  await update(tx, 'sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where(isIncluded)
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  return found;
}

/** Runs the deferred triggers, which revoke tokens and notify clients, before the commit. */
export async function runDeferredTriggers(tx: SystemTx): Promise<void> {
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx.db);
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx.db);
}

/** Returns the user of a session; undefined if the session does not exist. */
export async function findSessionOwner(tx: TenantTx, id: SessionId): Promise<UserId | undefined> {
  const row = await from(tx, 'sessions').select('user_id').where('id', '=', id).executeTakeFirst();
  return row?.user_id;
}

/** Counts the live sessions in a workspace. */
export async function countLiveSessionsIn(
  tx: TenantTx,
  id: WorkspaceId,
  now: Date,
): Promise<number> {
  const { n } = await from(tx, 'sessions')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('workspace_id', '=', id)
    .where('is_active', '=', true)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * Deletes all sessions in a workspace, which are locked in the same order as in rotations.
 * @returns those that were live
 */
export async function deleteSessionsIn(tx: TenantTx, id: WorkspaceId): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession & { readonly is_active: boolean }>`
    WITH inside AS (
      SELECT s.id FROM sessions s
       WHERE s.tenant_id = ${tx.tenantId} AND s.workspace_id = ${id} ORDER BY s.id FOR UPDATE
    )
    DELETE FROM sessions s USING inside
     WHERE s.tenant_id = ${tx.tenantId} AND s.id = inside.id
     RETURNING s.id, s.user_id, s.is_active`.execute(tx.db);
  return rows.filter((row) => row.is_active);
}

/** Whether the user has logged in since. @param methods the login used at least one of these; undefined for any */
export async function hasLoggedIn(
  tx: TenantTx,
  userId: UserId,
  since: Date,
  methods: readonly string[] | undefined,
): Promise<boolean> {
  const session = await from(tx, 'sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('auth_time', '>', since)
    .$if(methods !== undefined, (query) =>
      query.where(sql<boolean>`amr && ${[...(methods ?? [])]}::text[]`),
    )
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

/** Ends all live sessions of the tenant. */
export async function endSessionsOfTenant(tx: TenantTx, reason: SessionEndReason): Promise<void> {
  await update(tx, 'sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('is_active', '=', true)
    .execute();
}

/** The newest live sessions of a user, and the number of all, counted up to COUNT_UP_TO. */
export async function findLiveSessionsOf(tx: TenantTx, userId: UserId, limit: number) {
  const live = from(tx, 'sessions')
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now);
  const rows = await live
    .select(['id', 'workspace_id', 'created_at', 'expires_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const counted = rows.length < limit ? rows.length : await countUpToLimit(tx, live.select('id'));
  return { rows, counted };
}
