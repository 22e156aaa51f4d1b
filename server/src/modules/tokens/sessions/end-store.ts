import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { SessionEndReason } from '@keywright/contract/records/session';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemTx } from '../../../tenancy/system.ts';
import type { EndedSession } from '../../events/journal/index.ts';

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
