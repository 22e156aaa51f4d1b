import type { SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { SessionEndReason } from '@keywright/contract/records/session';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { statement } from '../../platform/db/database.ts';
import type { Gate, TenantData, TenantTx } from '../../tenancy/gate.ts';
import type { EndedSession, Written } from '../journal/index.ts';

/** What a token says of a user. */
export interface SubjectRow {
  readonly workspace_id: WorkspaceId;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
}

export interface SessionRef {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
}

export interface NewSession {
  readonly id: SessionId;
  readonly userId: UserId;
  /** The hash that the secret was found right against: another one now means it was changed. */
  readonly secretHash: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly address: string;
  readonly now: Date;
  /** What is recorded of it. */
  readonly written: Written;
  readonly expiresAt: Date;
  readonly endsAt: Date;
  readonly refreshHash: Buffer;
  readonly refreshKid: string;
  /** The counted attempts that are given back, by address and by identifier. */
  readonly attempts: readonly [Buffer, Buffer];
  /** That its tokens name. */
  readonly bit: number;
}

export type OpenedRow =
  | ({
      readonly outcome: 'opened';
      /** What was queued to be delivered. */
      readonly queued: string[] | null;
    } & SubjectRow)
  | { readonly outcome: 'refused' | 'workspace_unknown' };

const openSession = statement(
  'kw_open_session',
  'SELECT * FROM kw_open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)',
);

export async function insertSession(tenant: TenantData, session: NewSession): Promise<OpenedRow> {
  const [row] = await tenant.call<OpenedRow>(openSession, [
    session.id,
    session.userId,
    session.secretHash,
    session.workspaceId ?? null,
    session.userAgent,
    session.address,
    session.now,
    session.expiresAt,
    session.endsAt,
    session.refreshHash,
    session.refreshKid,
    session.now,
    ...session.attempts,
    session.written.entries,
    session.written.events,
    session.bit,
  ]);
  const opened = row as OpenedRow;
  if (opened.outcome === 'opened' && opened.queued) tenant.handOver(opened.queued);
  return opened;
}

export interface Rotation extends SessionRef {
  readonly presented: Buffer;
  readonly next: Buffer;
  readonly kid: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly retrySeconds: number;
}

export interface RotationRow extends SubjectRow {
  readonly outcome: 'rotated' | 'repeated' | 'other' | 'ended';
  readonly kid: string;
  /** Of the token that is current now. */
  readonly hash: Buffer;
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly user_id: UserId;
  readonly access_version: number;
  /** That tokens of this version name; null before the first one. */
  readonly status_idx: string | null;
}

const rotateSessions = statement(
  'kw_rotate_sessions',
  'SELECT * FROM kw_rotate_sessions($1, $2, $3, $4, $5, $6, $7, $8)',
);

/** Trades many refresh tokens in one commit; answers in the order of the rotations. */
export async function rotateAll(
  gate: Gate,
  rotations: readonly Rotation[],
): Promise<RotationRow[]> {
  // Sorted, so that two of these never wait for each other's rows in a circle.
  const order = rotations
    .map((_, index) => index)
    .toSorted((one, other) => compare(rotations[one] as Rotation, rotations[other] as Rotation));
  const sorted = order.map((index) => rotations[index] as Rotation);
  const rows = await gate.callMany<RotationRow>(
    rotateSessions,
    sorted.map((one) => one.tenantId),
    [
      sorted.map((one) => one.sessionId),
      sorted.map((one) => one.presented),
      sorted.map((one) => one.next),
      sorted.map((one) => one.kid),
      sorted.map((one) => one.now),
      sorted.map((one) => one.expiresAt),
      sorted.map((one) => one.retrySeconds),
    ],
  );
  const answers = Array.from<RotationRow>({ length: rotations.length });
  order.forEach((index, place) => {
    answers[index] = rows[place] as RotationRow;
  });
  return answers;
}

function compare(one: SessionRef, other: SessionRef): number {
  const a = `${one.tenantId} ${one.sessionId}`;
  const b = `${other.tenantId} ${other.sessionId}`;
  return a < b ? -1 : Number(a > b);
}

/** Ends a living session. @returns nothing when there was none. */
export async function endSession(
  tx: TenantTx,
  id: SessionId,
  reason: SessionEndReason,
): Promise<EndedSession | undefined> {
  const row = await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning(['id', 'user_id'])
    .executeTakeFirst();
  return row as EndedSession | undefined;
}

/**
 * Ends every living session of a user, but one if it is named. They are locked in the order that rotations
 * lock them in, so that the two never wait for each other in a circle.
 */
export async function endSessionsOf(
  tx: TenantTx,
  userId: UserId,
  reason: SessionEndReason,
  except?: SessionId,
): Promise<EndedSession[]> {
  let living = tx.db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('is_active', '=', true);
  if (except !== undefined) living = living.where('id', '!=', except);
  const ids = (await living.orderBy('id').forUpdate().execute()).map((row) => row.id);
  if (ids.length === 0) return [];
  await tx.db
    .updateTable('sessions')
    .set({ is_active: false, end_reason: reason })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', 'in', ids)
    .execute();
  return ids.map((id) => ({ id: id as SessionId, user_id: userId }));
}

/** Whose session it is; nothing when there is none. */
export async function findSessionOwner(tx: TenantTx, id: SessionId): Promise<UserId | undefined> {
  const row = await tx.db
    .selectFrom('sessions')
    .select('user_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.user_id as UserId | undefined;
}

export async function findMetadata(tx: TenantTx, userId: UserId): Promise<unknown> {
  const row = await tx.db
    .selectFrom('users')
    .select('metadata')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.metadata;
}
