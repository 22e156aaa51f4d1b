import type { AgentId, ApiKeyId, DelegationId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { DEPENDENT_ITEMS } from '@keywright/contract/records/dependents';
import { type RawBuilder, sql } from 'kysely';
import { COUNT_UP_TO } from '../../../platform/db/page.ts';
import { from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Revoked } from '../../events/journal/index.ts';

/** Selects the dependents of a user, or of a single agent. */
export type DependentsOf = { readonly userId: UserId } | { readonly agentId: AgentId };

/** The newest rows, and the number of all rows, counted up to COUNT_UP_TO. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly counted: number;
}

interface Made {
  readonly created_at: Date;
}

interface Limited extends Made {
  readonly expires_at: Date;
}

export interface AgentRow extends Made {
  readonly id: AgentId;
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly is_active: boolean;
  /** The number of usable keys. */
  readonly api_keys: number;
}

export interface ApiKeyRow extends Limited {
  readonly id: ApiKeyId;
  readonly agent_id: AgentId;
  readonly name: string;
  readonly prefix: string;
}

export interface DelegationRow extends Limited {
  readonly id: DelegationId;
  readonly user_id: UserId;
  readonly agent_id: AgentId;
  readonly scopes: string[];
}

/** @param source FROM and WHERE clauses */
async function partOf<Row>(
  tx: TenantTx,
  columns: RawBuilder<unknown>,
  source: RawBuilder<unknown>,
): Promise<Part<Row>> {
  const { rows } = await sql<Row>`
    SELECT ${columns} ${source} ORDER BY x.created_at DESC, x.id DESC LIMIT ${DEPENDENT_ITEMS}`.execute(
    tx.db,
  );
  if (rows.length < DEPENDENT_ITEMS) return { rows, counted: rows.length };
  const { rows: counts } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM (SELECT ${source} LIMIT ${COUNT_UP_TO}) AS found`.execute(
    tx.db,
  );
  return { rows, counted: counts[0]?.n ?? 0 };
}

/** The agents that a user owns, or only the active ones. */
export function findOwnedAgents(
  tx: TenantTx,
  userId: UserId,
  activeOnly: boolean,
  now: Date,
): Promise<Part<AgentRow>> {
  return partOf(
    tx,
    sql`x.id, x.workspace_id, x.name, x.is_active, x.created_at, (
          SELECT count(*)::integer FROM api_keys k
           WHERE k.tenant_id = x.tenant_id AND k.agent_id = x.id
             AND kw_is_usable(k.revoked_at, k.expires_at, ${now})) AS api_keys`,
    sql`FROM agents x
         WHERE x.tenant_id = ${tx.tenantId} AND x.owner_id = ${userId}
           AND (x.is_active OR NOT ${activeOnly})`,
  );
}

/** The IDs of the selected agents: a single one, or those that the user owns. */
function agentsOf(tx: TenantTx, holder: DependentsOf): RawBuilder<unknown> {
  return 'agentId' in holder
    ? sql`(${holder.agentId})`
    : sql`(SELECT a.id FROM agents a
            WHERE a.tenant_id = ${tx.tenantId} AND a.owner_id = ${holder.userId})`;
}

/** Keys that are neither revoked nor expired, whether their agent is active or not. */
export function findUsableKeys(
  tx: TenantTx,
  holder: DependentsOf,
  now: Date,
): Promise<Part<ApiKeyRow>> {
  return partOf(
    tx,
    sql`x.id, x.agent_id, x.name, x.prefix, x.created_at, x.expires_at`,
    sql`FROM api_keys x
         WHERE x.tenant_id = ${tx.tenantId} AND x.agent_id IN ${agentsOf(tx, holder)}
           AND kw_is_usable(x.revoked_at, x.expires_at, ${now})`,
  );
}

/** Delegations to the agents and, for a user, also delegations by the user. */
function delegationsOf(tx: TenantTx, holder: DependentsOf): RawBuilder<unknown> {
  const toAgents = sql`x.agent_id IN ${agentsOf(tx, holder)}`;
  return 'userId' in holder ? sql`(x.user_id = ${holder.userId} OR ${toAgents})` : toAgents;
}

export function findLiveDelegations(
  tx: TenantTx,
  holder: DependentsOf,
  now: Date,
): Promise<Part<DelegationRow>> {
  return partOf(
    tx,
    sql`x.id, x.user_id, x.agent_id, x.scopes, x.created_at, x.expires_at`,
    sql`FROM delegations x
         WHERE x.tenant_id = ${tx.tenantId} AND ${delegationsOf(tx, holder)}
           AND kw_is_usable(x.revoked_at, x.expires_at, ${now})`,
  );
}

/**
 * The scopes of the agents that a user owns. Locks the agents, so that none gets a new key in the meantime. Here and
 * below, rows are locked in the order of their IDs, and tables in this order: agents, sessions, API keys, delegations.
 */
export async function lockOwnedAgents(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await from(tx, 'agents')
    .select('scopes')
    .where('owner_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return [...new Set(rows.flatMap((row) => row.scopes))];
}

/** @returns the user's agents that were active */
export async function deactivateAgents(tx: TenantTx, userId: UserId): Promise<AgentId[]> {
  const agents = await update(tx, 'agents')
    .set(({ eb }) => ({ is_active: false, access_version: eb('access_version', '+', 1) }))
    .where('owner_id', '=', userId)
    .where('is_active', '=', true)
    .returning('id')
    .execute();
  return agents.map((row) => row.id);
}

export async function revokeKeysAndDelegations(
  tx: TenantTx,
  holder: DependentsOf,
  reason: string,
  now: Date,
): Promise<Revoked> {
  const revoked = sql`revoked_at = ${now}, revoke_reason = ${reason}`;
  const keys = await sql<Revoked['keys'][number]>`
    WITH locked AS (
      SELECT x.id FROM api_keys x
       WHERE x.tenant_id = ${tx.tenantId} AND x.agent_id IN ${agentsOf(tx, holder)}
         AND x.revoked_at IS NULL
       ORDER BY x.id FOR UPDATE
    )
    UPDATE api_keys k SET ${revoked} FROM locked
     WHERE k.tenant_id = ${tx.tenantId} AND k.id = locked.id
    RETURNING k.id, k.agent_id`.execute(tx.db);
  const delegations = await sql<Revoked['delegations'][number]>`
    WITH locked AS (
      SELECT x.id FROM delegations x
       WHERE x.tenant_id = ${tx.tenantId} AND ${delegationsOf(tx, holder)}
         AND x.revoked_at IS NULL
       ORDER BY x.id FOR UPDATE
    )
    UPDATE delegations d SET ${revoked} FROM locked
     WHERE d.tenant_id = ${tx.tenantId} AND d.id = locked.id
    RETURNING d.id, d.user_id, d.agent_id`.execute(tx.db);
  return { keys: keys.rows, delegations: delegations.rows };
}
