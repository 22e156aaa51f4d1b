import {
  type UserId,
  DEFAULT_WORKSPACE,
  type TenantId,
  type WorkspaceId,
  type SessionId,
} from '@keywright/contract/ids';
import { sql } from 'kysely';
import { from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';

export async function countConsents(tx: TenantTx, userId: UserId): Promise<number> {
  const { n } = await from(tx, 'consents')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

interface Membership {
  readonly id: WorkspaceId;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly is_only_member: boolean;
}

/** The workspaces that a user was added to, except the default workspace, which contains all users. */
export async function findMemberships(
  tx: TenantTx,
  userId: UserId,
  most: number,
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    SELECT w.id, w.tenant_id, w.name,
           NOT EXISTS (
             SELECT FROM workspace_members o
              WHERE o.tenant_id = m.tenant_id AND o.workspace_id = m.workspace_id
                AND o.user_id <> m.user_id) AS is_only_member
      FROM workspace_members m
      JOIN workspaces w ON w.tenant_id = m.tenant_id AND w.id = m.workspace_id
     WHERE m.tenant_id = ${tx.tenantId} AND m.user_id = ${userId} AND w.id <> ${DEFAULT_WORKSPACE}
     ORDER BY m.position LIMIT ${most}`.execute(tx.db);
  return rows;
}

export interface ExportJob extends JobRow {
  /** The user whose data is exported. A user has at most one export. */
  readonly id: UserId;
  readonly session_id: SessionId;
}

export interface ExportRow {
  readonly id: UserId;
  readonly status: JobRow['status'];
  readonly takes: number;
  readonly bytes: number | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const FIELDS = sql`id, status, takes, bytes, created_at, expires_at`;

interface NewExport {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly expiresAt: Date;
  /** An export requested after this time is not replaced, unless it failed or expired. */
  readonly replaceBefore: Date;
}

/** Resolves concurrent requests in one statement. @returns undefined if the previous export is not replaced */
export async function insertExport(
  tx: TenantTx,
  { userId, sessionId, expiresAt, replaceBefore }: NewExport,
): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    INSERT INTO account_exports AS e (tenant_id, id, session_id, due_at, expires_at, created_at)
    VALUES (${tx.tenantId}, ${userId}, ${sessionId}, ${tx.now}, ${expiresAt}, ${tx.now})
    ON CONFLICT (tenant_id, id) DO UPDATE
       SET session_id = excluded.session_id, status = 'pending', attempts = 0, takes = e.takes + 1,
           due_at = excluded.due_at, held_until = NULL, expires_at = excluded.expires_at, reason = NULL,
           created_at = excluded.created_at, content = NULL, bytes = NULL
     WHERE e.created_at <= ${replaceBefore} OR e.status IN ('failed', 'expired')
    RETURNING ${FIELDS}`.execute(tx.db);
  return rows[0];
}

export async function findExport(tx: TenantTx, userId: UserId): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    SELECT ${FIELDS} FROM account_exports
     WHERE tenant_id = ${tx.tenantId} AND id = ${userId} AND expires_at > ${tx.now}`.execute(tx.db);
  return rows[0];
}

/** @returns undefined unless the export is done */
export async function findContent(tx: TenantTx, userId: UserId): Promise<Buffer | undefined> {
  const row = await from(tx, 'account_exports')
    .select('content')
    .where('id', '=', userId)
    .where('status', '=', 'done')
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return row?.content ?? undefined;
}

/** Stores the content only for its claim: the user might have requested another export, or been deleted. */
export async function storeContent(
  tx: TenantTx,
  { id, takes }: Pick<ExportJob, 'id' | 'takes'>,
  content: Buffer,
  bytes: number,
): Promise<void> {
  await update(tx, 'account_exports')
    .set({ content, bytes })
    .where('id', '=', id)
    .where('takes', '=', takes)
    .where('status', '=', 'pending')
    .execute();
}
