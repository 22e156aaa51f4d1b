import {
  type AgentId,
  DEFAULT_WORKSPACE,
  type UserId,
  type WorkspaceId,
  parseAgentId,
} from '@keywright/contract/ids';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';

/** The fields of an agent's record. */
const SHOWN = [
  'id',
  'tenant_id',
  'workspace_id',
  'name',
  'description',
  'scopes',
  'owner_id',
  'jwks',
  'trusts',
  'is_active',
  'created_at',
] as const;

export interface AgentFilter {
  readonly workspace_id?: WorkspaceId;
  readonly owner_id?: UserId;
  readonly is_active?: boolean;
  /** A part of the name, or the ID. */
  readonly search?: string;
}

function agents(tx: TenantTx, filter: AgentFilter = {}) {
  let query = from(tx, 'agents');
  if (filter.workspace_id !== undefined) {
    query = query.where('workspace_id', '=', filter.workspace_id);
  }
  if (filter.owner_id !== undefined) query = query.where('owner_id', '=', filter.owner_id);
  if (filter.is_active !== undefined) query = query.where('is_active', '=', filter.is_active);
  if (filter.search !== undefined) {
    // strpos treats % and _ as ordinary characters.
    query = query.where(
      sql<boolean>`(strpos(lower(name), lower(${filter.search})) > 0 OR id = ${filter.search})`,
    );
  }
  return query;
}

export function findAgent(tx: TenantTx, id: AgentId) {
  return agents(tx).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

export type AgentRow = NonNullable<Awaited<ReturnType<typeof findAgent>>>;

/** Locks the agent until the commit. */
export function lockAgent(tx: TenantTx, id: AgentId): Promise<AgentRow | undefined> {
  return agents(tx).select(SHOWN).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Prevents the deletion of an agent until the commit. @returns whether it exists */
export async function lockAgainstDeletion(tx: TenantTx, id: AgentId): Promise<boolean> {
  const row = await from(tx, 'agents')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an agent is active; undefined if the agent is unknown. */
export async function isAgentActive(tx: TenantTx, id: AgentId): Promise<boolean | undefined> {
  const row = await agents(tx).select('is_active').where('id', '=', id).executeTakeFirst();
  return row?.is_active;
}

/** An agent that can act. */
export function findActiveAgent(tx: TenantTx, id: AgentId) {
  return from(tx, 'agents')
    .select(['name', 'scopes'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** A page, plus one more row if there are further rows. */
export function findAgents(tx: TenantTx, page: Page, filter: AgentFilter): Promise<AgentRow[]> {
  return pageOf(agents(tx, filter).select(SHOWN), page).execute();
}

export function countAgents(tx: TenantTx, filter: AgentFilter): Promise<number> {
  return countUpToLimit(tx, agents(tx, filter).select('id'));
}

export interface NewAgent {
  readonly id: AgentId;
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly owner_id: UserId | null;
  readonly jwks: AgentKeySet | null;
  readonly trusts: readonly AgentTrust[];
}

export function insertAgent(tx: TenantTx, agent: NewAgent, now: Date): Promise<AgentRow> {
  const { scopes, jwks, trusts, ...rest } = agent;
  return tx.db
    .insertInto('agents')
    .values({
      ...rest,
      scopes: [...scopes],
      jwks: jwks && JSON.stringify(jwks),
      trusts: JSON.stringify(trusts),
      tenant_id: tx.tenantId,
      created_at: now,
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

export type AgentChange = Partial<Omit<NewAgent, 'id'>> & { readonly is_active?: boolean };

/** @param isOtherAccess whether the change invalidates earlier tokens */
export async function updateAgentRow(
  tx: TenantTx,
  id: AgentId,
  change: AgentChange,
  isOtherAccess: boolean,
): Promise<AgentRow> {
  const { scopes, jwks, trusts, ...rest } = change;
  return update(tx, 'agents')
    .set(({ eb }) => ({
      ...rest,
      ...(isOtherAccess ? { access_version: eb('access_version', '+', 1) } : {}),
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(jwks === undefined ? {} : { jwks: jwks && JSON.stringify(jwks) }),
      ...(trusts === undefined ? {} : { trusts: JSON.stringify(trusts) }),
    }))
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

/** The agent's keys and delegations are deleted by cascade. */
export async function deleteAgentRow(tx: TenantTx, id: AgentId): Promise<void> {
  await deleteFrom(tx, 'agents').where('id', '=', id).execute();
}

/** All scopes of the agents in a workspace, whether active or not. */
export async function findScopesOfAgentsIn(tx: TenantTx, id: WorkspaceId): Promise<string[]> {
  const rows = await from(tx, 'agents')
    .select(sql<string>`unnest(scopes)`.as('scope'))
    .distinct()
    .where('workspace_id', '=', id)
    .execute();
  return rows.map(({ scope }) => scope);
}

/** Counts the active agents in a workspace. */
export async function countActiveAgentsIn(tx: TenantTx, id: WorkspaceId): Promise<number> {
  const { n } = await from(tx, 'agents')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('workspace_id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * Moves the agents of a deleted workspace to the default one, where they are inactive until an administrator decides
 * what they can do there.
 */
export async function displaceAgentsOf(tx: TenantTx, id: WorkspaceId): Promise<AgentId[]> {
  const { rows } = await sql<{ id: AgentId }>`
    WITH inside AS (
      SELECT a.id FROM agents a
       WHERE a.tenant_id = ${tx.tenantId} AND a.workspace_id = ${id} ORDER BY a.id FOR UPDATE
    )
    UPDATE agents a SET workspace_id = ${DEFAULT_WORKSPACE}, is_active = false,
           access_version = access_version + 1
      FROM inside WHERE a.tenant_id = ${tx.tenantId} AND a.id = inside.id RETURNING a.id`.execute(
    tx.db,
  );
  return rows.map((row) => row.id);
}

/** The permissions and credentials of an agent that requests a token, read from one snapshot. */
export interface AgentClient {
  readonly id: AgentId;
  readonly workspace_id: WorkspaceId;
  readonly scopes: readonly string[];
  readonly access_version: number;
  readonly jwks: AgentKeySet | null;
  readonly trusts: readonly AgentTrust[];
}

/** An active agent, by its ID as presented. */
export async function findAgentClient(
  tx: TenantTx,
  named: string,
): Promise<AgentClient | undefined> {
  const id = parseAgentId(named);
  if (!id) return undefined;
  const row = await from(tx, 'agents')
    .select(['id', 'workspace_id', 'scopes', 'access_version', 'jwks', 'trusts'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row;
}

/** Invalidates the access tokens of all agents of the tenant. */
export async function outdateAgents(tx: TenantTx): Promise<void> {
  await update(tx, 'agents')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .execute();
}
