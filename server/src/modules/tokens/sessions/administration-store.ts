import type { OAuthClientId, UserId, SessionId } from '@keywright/contract/ids';
import type { SessionState, SessionEndReason } from '@keywright/contract/records/session';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemTx } from '../../../tenancy/system.ts';
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
  'expires_at',
  'is_active',
  'end_reason',
  'ended_at',
] as const;

/** Whose sessions: of everybody, or of one user only, and never of another one. */
export interface Owners {
  readonly only: UserId | undefined;
  readonly except?: UserId;
}

interface SessionFilter extends Owners {
  /** Undefined: at whatever client, or at none. */
  readonly clientId: OAuthClientId | undefined;
  /** Undefined: whether or not they have ended or expired. */
  readonly isActive: boolean | undefined;
  readonly state: SessionState | undefined;
}

function sessionsOf(tx: TenantTx, { only, except, clientId, isActive, state }: SessionFilter) {
  let query = tx.db.selectFrom('sessions').where('tenant_id', '=', tx.tenantId);
  if (only !== undefined) query = query.where('user_id', '=', only);
  if (except !== undefined) query = query.where('user_id', '!=', except);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (state !== undefined) query = query.where('is_active', '=', state !== 'ended');
  if (state === 'active') query = query.where('expires_at', '>', tx.now);
  if (state === 'expired') query = query.where('expires_at', '<=', tx.now);
  if (isActive === undefined) return query;
  return query.where((eb) => {
    const isOpen = eb.and([eb('is_active', '=', true), eb('expires_at', '>', tx.now)]);
    return isActive ? isOpen : eb.not(isOpen);
  });
}

/** One page, and one row more if there is one. */
export function findSessions(tx: TenantTx, page: Page, filter: SessionFilter) {
  return pageOf(sessionsOf(tx, filter).select(SHOWN), page).execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export function countSessions(tx: TenantTx, filter: SessionFilter): Promise<number> {
  return countSome(tx, sessionsOf(tx, filter).select('id'));
}

/** A live session that was ended, and those that were opened from it, which end with it. */
export interface EndedFamily {
  readonly session: EndedSession;
  readonly children: readonly EndedSession[];
}

/** Ends a live session. @returns undefined when there was none */
export async function endSession(
  tx: TenantTx,
  id: SessionId,
  reason: SessionEndReason,
): Promise<EndedFamily | undefined> {
  const row = await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning(['user_id', 'kind'])
    .executeTakeFirst();
  if (!row) return undefined;
  const userId = row.user_id;
  const children =
    row.kind === 'browser' ? await endLiving(tx, userId, reason, { openedFrom: [id] }) : [];
  return { session: { id, user_id: userId }, children };
}

/**
 * Ends every living session of a user, but one if it is named. That one ends too if it was opened from one that ends: no
 * session outlives its parent.
 */
export async function endSessionsOf(
  tx: TenantTx,
  userId: UserId,
  reason: SessionEndReason,
  except?: SessionId,
): Promise<EndedSession[]> {
  const ended = await endLiving(tx, userId, reason, { except });
  const parents = ended.filter(({ kind }) => kind === 'browser').map(({ id }) => id);
  if (parents.length === 0) return ended;
  return [...ended, ...(await endLiving(tx, userId, reason, { openedFrom: parents }))];
}

interface Ended extends EndedSession {
  readonly kind: string;
}

/**
 * Ends living sessions of a user: all but one, or those opened from others that have ended. The latter is a statement
 * behind the one that ended those: whoever opened one more held its parent until then, and it is only in a snapshot that
 * is taken later (ADR 41). Rows are locked in the order in which rotations lock them, so that the two cannot deadlock.
 */
async function endLiving(
  tx: TenantTx,
  userId: UserId,
  reason: SessionEndReason,
  {
    except,
    openedFrom,
  }: { readonly except?: SessionId | undefined; readonly openedFrom?: SessionId[] },
): Promise<Ended[]> {
  let living = tx.db
    .selectFrom('sessions')
    .select(['id', 'kind'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('is_active', '=', true);
  if (except !== undefined) living = living.where('id', '!=', except);
  if (openedFrom) living = living.where('parent_id', 'in', openedFrom);
  const found = await living.orderBy('id').forUpdate().execute();
  if (found.length === 0) return [];
  await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    // By whose they are, as they were found: looked up by many ids, all of the tenant may be read for them.
    .where('user_id', '=', userId)
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  return found.map(({ id, kind }) => ({ id, user_id: userId, kind }));
}

/** Ends up to `limit` living sessions of the tenant, of any user: the next ones after that ID, in order of ID. */
export async function endNextSessions(
  tx: TenantTx,
  reason: SessionEndReason,
  after: string,
  limit: number,
): Promise<EndedSession[]> {
  const next = tx.db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id > ${after}`)
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .orderBy('id')
    .limit(limit);
  const ended = await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', 'in', next)
    .returning(['id', 'user_id'])
    .execute();
  return ended.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Ends the living sessions of a client: of all its users, or of one. Rows are locked in the order of rotations. */
export async function endSessionsOfClient(
  tx: TenantTx,
  clientId: OAuthClientId,
  reason: SessionEndReason,
  userId?: UserId,
): Promise<EndedSession[]> {
  let living = tx.db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('client_id', '=', clientId)
    .where('is_active', '=', true);
  if (userId !== undefined) living = living.where('user_id', '=', userId);
  const found = await living.orderBy('id').forUpdate().execute();
  if (found.length === 0) return [];
  await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason, ended_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('client_id', '=', clientId)
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
