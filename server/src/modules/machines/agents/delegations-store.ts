import type { AgentId, DelegationId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { from, type TenantTx, update } from '../../../tenancy/gate.ts';

/** The delegations of a user, except revoked ones. */
function delegationsOf(tx: TenantTx, userId: UserId) {
  return from(tx, 'delegations').where('user_id', '=', userId).where('revoked_at', 'is', null);
}

/** Always found, because a delegation cannot outlive its agent. */
const agentName = sql<string>`(
  SELECT a.name FROM agents a
   WHERE a.tenant_id = delegations.tenant_id AND a.id = delegations.agent_id)`;

function shownOf(tx: TenantTx, userId: UserId) {
  return delegationsOf(tx, userId).selectAll().select(agentName.as('agent_name'));
}

export function findDelegation(tx: TenantTx, userId: UserId, id: DelegationId) {
  return shownOf(tx, userId).where('id', '=', id).executeTakeFirst();
}

export type DelegationRow = NonNullable<Awaited<ReturnType<typeof findDelegation>>>;

/** A page, plus one more row if there are further rows. */
export function findDelegations(
  tx: TenantTx,
  userId: UserId,
  page: Page,
): Promise<DelegationRow[]> {
  return pageOf(shownOf(tx, userId), page).execute();
}

export function countDelegations(tx: TenantTx, userId: UserId): Promise<number> {
  return countUpToLimit(tx, delegationsOf(tx, userId).select('id'));
}

/** The delegation of a user to an agent, unless it was revoked. It might have expired. */
export async function findDelegationTo(
  tx: TenantTx,
  userId: UserId,
  agentId: AgentId,
): Promise<DelegationId | undefined> {
  const row = await delegationsOf(tx, userId)
    .select('id')
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return row?.id;
}

interface NewDelegation {
  readonly id: DelegationId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** Replaces the previous delegation completely: tokens of the new one name another ID. */
export function putDelegation(tx: TenantTx, delegation: NewDelegation): Promise<DelegationRow> {
  const values = {
    id: delegation.id,
    scopes: [...delegation.scopes],
    created_at: tx.now,
    expires_at: delegation.expiresAt,
    revoked_at: null,
    revoke_reason: null,
    last_used_at: null,
    access_version: 0,
  };
  return tx.db
    .insertInto('delegations')
    .values({
      tenant_id: tx.tenantId,
      user_id: delegation.userId,
      agent_id: delegation.agentId,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id', 'agent_id']).doUpdateSet(values),
    )
    .returningAll()
    .returning(agentName.as('agent_name'))
    .executeTakeFirstOrThrow();
}

/** @returns the agent of the delegation; undefined if there was none to revoke */
export async function revokeDelegation(
  tx: TenantTx,
  userId: UserId,
  id: DelegationId,
): Promise<AgentId | undefined> {
  const row = await update(tx, 'delegations')
    .set({ revoked_at: tx.now, revoke_reason: 'revoked' })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('agent_id')
    .executeTakeFirst();
  return row?.agent_id;
}

/** A live delegation, with the current permissions of its agent and its user. */
export interface Acting {
  readonly id: DelegationId;
  readonly user_id: UserId;
  readonly expires_at: Date;
  readonly access_version: number;
  readonly scopes: readonly string[];
  readonly user_scopes: readonly string[];
  readonly agent_scopes: readonly string[];
  /** The workspace of a login by the user. */
  readonly workspace_id: WorkspaceId;
}

/** Selects a delegation by its user or by its ID. */
export type DelegationSelector = { readonly by: UserId } | { readonly id: DelegationId };

/**
 * Returns the delegation that an agent acts under, from one snapshot: its permissions are never wider than at this
 * version, and a later version invalidates the token. The use is recorded for the user, at most once a minute.
 */
export async function findActing(
  tx: TenantTx,
  agentId: AgentId,
  selector: DelegationSelector,
): Promise<Acting | undefined> {
  const which = 'by' in selector ? sql`d.user_id = ${selector.by}` : sql`d.id = ${selector.id}`;
  const { rows } = await sql<Acting>`
    WITH acting AS (
      SELECT d.id, d.user_id, d.expires_at, d.access_version, d.scopes,
             may.scopes AS user_scopes, a.scopes AS agent_scopes,
             kw_login_workspace(d.tenant_id, d.user_id, NULL) AS workspace_id
        FROM delegations d
       -- Each by its whole key: joined as such, all delegations of the tenant may be what is read first.
       CROSS JOIN LATERAL (
         SELECT agents.scopes FROM agents
          WHERE agents.tenant_id = ${tx.tenantId} AND agents.id = d.agent_id AND is_active LIMIT 1) AS a
       CROSS JOIN LATERAL (
         SELECT FROM users
          WHERE users.tenant_id = ${tx.tenantId} AND users.id = d.user_id AND is_active LIMIT 1) AS u
       CROSS JOIN LATERAL kw_permissions_of(${tx.tenantId}, d.user_id) AS may
       WHERE d.tenant_id = ${tx.tenantId} AND d.agent_id = ${agentId} AND ${which}
         AND kw_is_usable(d.revoked_at, d.expires_at, ${tx.now})
    ), used AS (
      UPDATE delegations SET last_used_at = ${tx.now} FROM acting
       WHERE delegations.tenant_id = ${tx.tenantId} AND delegations.id = acting.id
         AND (last_used_at IS NULL OR last_used_at < ${tx.now}::timestamptz - interval '1 minute')
    )
    SELECT * FROM acting`.execute(tx.db);
  return rows[0];
}

interface RevokedDelegation {
  readonly id: DelegationId;
  readonly user_id: UserId;
  readonly agent_id: AgentId;
}

/** Revokes the delegations that the user granted. */
export async function revokeDelegations(
  tx: TenantTx,
  userId: UserId,
  reason: string,
): Promise<readonly RevokedDelegation[]> {
  const { rows } = await sql<RevokedDelegation>`
    WITH input AS (
      SELECT x.id FROM delegations x
       WHERE x.tenant_id = ${tx.tenantId} AND x.user_id = ${userId} AND x.revoked_at IS NULL
       ORDER BY x.id FOR UPDATE
    )
    UPDATE delegations d SET revoked_at = ${tx.now}, revoke_reason = ${reason} FROM input
     WHERE d.tenant_id = ${tx.tenantId} AND d.id = input.id
    RETURNING d.id, d.user_id, d.agent_id`.execute(tx.db);
  return rows;
}

/** Delegations by a user, which end when the user is deleted. */
export async function findDelegationsBy(tx: TenantTx, userId: UserId) {
  const rows = await from(tx, 'delegations')
    .select(['id', 'agent_id'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, agent_id }) => {
    return { id, agent_id, user_id: userId };
  });
}

/**
 * Invalidates the delegations to an agent after a change of its permissions or means of authentication. The statement
 * that changes the agent also updates its version: a second statement would then lock the agent's workspace, in the
 * opposite order to other transactions.
 */
export async function outdateDelegationsTo(tx: TenantTx, agentId: AgentId): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT id FROM delegations
       WHERE tenant_id = ${tx.tenantId} AND agent_id = ${agentId} AND revoked_at IS NULL
       ORDER BY id FOR UPDATE
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM locked WHERE d.tenant_id = ${tx.tenantId} AND d.id = locked.id`.execute(tx.db);
}

/** Invalidates the access tokens of all delegations of the tenant. */
export async function outdateDelegations(tx: TenantTx): Promise<void> {
  await update(tx, 'delegations')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .where('revoked_at', 'is', null)
    .execute();
}
