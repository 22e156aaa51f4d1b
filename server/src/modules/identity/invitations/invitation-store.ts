import {
  type AgentId,
  type InvitationId,
  type LoginFlowId,
  type OAuthClientId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { InvitationState, InvitationRecord } from '@keywright/contract/records/invitation';
import { sql, type RawBuilder } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { from, type TenantTx, update } from '../../../tenancy/gate.ts';

interface InvitationFilter {
  /** Normalized. */
  readonly identifier: string | undefined;
  readonly status: InvitationState | undefined;
}

function invitations(tx: TenantTx) {
  return from(tx, 'invitations');
}

function filtered(tx: TenantTx, { identifier, status }: InvitationFilter) {
  let query = invitations(tx);
  if (identifier !== undefined) query = query.where('identifier', '=', identifier);
  if (status === undefined) return query;
  if (status === 'accepted') return query.where('accepted_at', 'is not', null);
  query = query.where('accepted_at', 'is', null);
  if (status === 'revoked') return query.where('revoked_at', 'is not', null);
  query = query.where('revoked_at', 'is', null);
  return query.where('expires_at', status === 'pending' ? '>' : '<=', tx.now);
}

export function findInvitation(tx: TenantTx, id: InvitationId) {
  return invitations(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** A page, plus one more row if there are further rows. */
export function findInvitations(
  tx: TenantTx,
  filter: InvitationFilter,
  page: Page,
): Promise<InvitationRow[]> {
  return pageOf(filtered(tx, filter).selectAll(), page).execute();
}

export function countInvitations(tx: TenantTx, filter: InvitationFilter): Promise<number> {
  return countUpToLimit(tx, filtered(tx, filter).select('id'));
}

/** Whether at least this many invitations are pending. */
export async function hasPending(tx: TenantTx, count: number): Promise<boolean> {
  const filter = { identifier: undefined, status: 'pending' } as const;
  const last = filtered(tx, filter)
    .select('id')
    .limit(1)
    .offset(count - 1);
  return (await last.executeTakeFirst()) !== undefined;
}

/** Serializes new invitations until the commit, so that their number does not change after the check. */
export async function lockInvitationCount(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`invitations of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

interface NewInvitation {
  readonly id: InvitationId;
  /** Normalized. */
  readonly identifier: string;
  readonly roles: readonly string[];
  readonly workspaces: readonly WorkspaceId[];
  readonly invitedBy: UserId | AgentId;
  readonly inviterKind: string;
  readonly invitingAgent: AgentId | null;
  readonly locale: string | undefined;
  readonly name: string | null;
  readonly clientId: OAuthClientId | null;
  readonly expiresAt: Date;
}

export function insertInvitation(tx: TenantTx, invitation: NewInvitation): Promise<InvitationRow> {
  return tx.db
    .insertInto('invitations')
    .values({
      tenant_id: tx.tenantId,
      id: invitation.id,
      identifier: invitation.identifier,
      roles: [...invitation.roles],
      workspaces: [...invitation.workspaces],
      invited_by: invitation.invitedBy,
      inviter_kind: invitation.inviterKind,
      inviting_agent: invitation.invitingAgent,
      locale: invitation.locale ?? null,
      name: invitation.name,
      client_id: invitation.clientId,
      created_at: tx.now,
      sent_at: tx.now,
      expires_at: invitation.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a pending invitation. @returns undefined if there is none */
export function changePending(
  tx: TenantTx,
  id: InvitationId,
  change:
    | { readonly sent_at: Date }
    | { readonly revoked_at: Date }
    | { readonly accepted_at: Date; readonly accepted_by: UserId },
): Promise<InvitationRow | undefined> {
  return update(tx, 'invitations')
    .set(change)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returningAll()
    .executeTakeFirst();
}

/** Locks a pending invitation, so that no other transaction accepts or revokes it before the commit. */
export function lockPending(tx: TenantTx, id: InvitationId): Promise<InvitationRow | undefined> {
  return invitations(tx)
    .selectAll()
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .forUpdate()
    .executeTakeFirst();
}

/** The invitation that a flow accepts. */
export function findOfFlow(tx: TenantTx, flow: LoginFlowId): Promise<InvitationRow | undefined> {
  return invitations(tx)
    .selectAll()
    .where('id', '=', from(tx, 'login_flows').select('invitation_id').where('id', '=', flow))
    .executeTakeFirst();
}

/**
 * The names of inviters by their IDs: a user without a name has their main address instead. Missing if the inviter was
 * deleted or belongs to another tenant, as system administrators do.
 */
export async function findInviterNames(
  tx: TenantTx,
  rows: readonly Pick<InvitationRow, 'invited_by'>[],
): Promise<ReadonlyMap<UserId | AgentId, string>> {
  const ids = [...new Set(rows.map((row) => row.invited_by))];
  const { rows: found } = await sql<{ id: UserId | AgentId; name: string | null }>`
    SELECT u.id, coalesce(u.name, (
             SELECT i.identifier FROM user_identifiers i
              WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id ORDER BY i.position LIMIT 1)) AS name
      FROM users u WHERE u.tenant_id = ${tx.tenantId} AND u.id = ANY (${ids})
     UNION ALL
    SELECT a.id, a.name FROM agents a WHERE a.tenant_id = ${tx.tenantId} AND a.id = ANY (${ids})`.execute(
    tx.db,
  );
  return new Map(found.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
}

/** The inviter's name, to be shown to the invited person. */
export async function findInviterName(
  tx: TenantTx,
  row: Pick<InvitationRow, 'invited_by'>,
): Promise<string | null> {
  return (await findInviterNames(tx, [row])).get(row.invited_by) ?? null;
}

/**
 * The page of an application where its users start, of an active application that an administrator created.
 * @returns undefined if there is none
 */
export async function findStartPage(tx: TenantTx, id: OAuthClientId) {
  const client = await from(tx, 'oauth_clients')
    .select(['initiate_login_uri', 'client_uri'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('created_by', '=', 'admin')
    .executeTakeFirst();
  if (client?.initiate_login_uri) return { url: client.initiate_login_uri, startsLogin: true };
  return client?.client_uri ? { url: client.client_uri, startsLogin: false } : undefined;
}

/** An invitation to a user, with the names of its inviter and its workspaces. */
export interface ReceivedInvitation extends InvitationRow {
  readonly inviter_name: string | null;
  readonly workspace_names: readonly { readonly id: WorkspaceId; readonly name: string }[];
}

const MOST = 100;

type Received = Omit<ReceivedInvitation, 'inviter_name'>;

/** The pending invitations to the user's verified addresses. */
function pendingTo(tx: TenantTx, userId: UserId): RawBuilder<Received> {
  return sql<Received>`
    SELECT v.*, coalesce((
             SELECT json_agg(json_build_object('id', w.id, 'name', w.name) ORDER BY w.id)
               FROM workspaces w WHERE w.tenant_id = v.tenant_id AND w.id = ANY (v.workspaces)
           ), '[]') AS workspace_names
      FROM invitations v
      JOIN user_identifiers i ON i.tenant_id = v.tenant_id AND i.identifier = v.identifier
     WHERE v.tenant_id = ${tx.tenantId} AND i.user_id = ${userId} AND i.verified
       AND v.accepted_at IS NULL AND v.revoked_at IS NULL AND v.expires_at > ${tx.now}`;
}

export async function findPendingTo(tx: TenantTx, userId: UserId): Promise<ReceivedInvitation[]> {
  const { rows } = await sql<Received>`
    ${pendingTo(tx, userId)} ORDER BY v.created_at DESC, v.id DESC LIMIT ${MOST}`.execute(tx.db);
  const names = rows.length === 0 ? undefined : await findInviterNames(tx, rows);
  return rows.map((row) =>
    Object.assign(row, { inviter_name: names?.get(row.invited_by) ?? null }),
  );
}

export async function findPendingInvitation(
  tx: TenantTx,
  userId: UserId,
  id: InvitationId,
): Promise<ReceivedInvitation | undefined> {
  const { rows } = await sql<Received>`
    ${pendingTo(tx, userId)} AND v.id = ${id}`.execute(tx.db);
  const [row] = rows;
  return row && { ...row, inviter_name: await findInviterName(tx, row) };
}

export function presentInvitation(
  row: InvitationRow,
  inviterName: string | null,
  now: Date,
): InvitationRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    identifier: row.identifier,
    name: row.name,
    roles: row.roles,
    workspaces: row.workspaces,
    status: stateOf(row, now),
    invited_by: row.invited_by,
    invited_by_name: inviterName,
    client_id: row.client_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    sent_at: row.sent_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
    accepted_by: row.accepted_by,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

export function stateOf(row: InvitationRow, now: Date): InvitationState {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at > now ? 'pending' : 'expired';
}
