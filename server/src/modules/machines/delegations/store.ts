import type { AgentId, DelegationId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Those that were not revoked. */
function delegationsOf(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('delegations')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null);
}

/** A delegation cannot outlive its agent. */
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

/** A page, plus one row if there are more. */
export function findDelegations(
  tx: TenantTx,
  userId: UserId,
  page: Page,
): Promise<DelegationRow[]> {
  return pageOf(shownOf(tx, userId), page).execute();
}

export function countDelegations(tx: TenantTx, userId: UserId): Promise<number> {
  return countSome(tx, delegationsOf(tx, userId).select('id'));
}

/**
 * Holds a user still until the commit: whoever disables them is before this, or finds what it made; and of two
 * delegations at once one is after the other.
 * @returns whether they are active
 */
export async function holdUser(tx: TenantTx, id: UserId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the agent against deletion until the commit. @returns whether there is one */
export async function holdAgent(tx: TenantTx, id: AgentId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('agents')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** An agent that can act. */
export function findActiveAgent(tx: TenantTx, id: AgentId) {
  return tx.db
    .selectFrom('agents')
    .select(['name', 'scopes'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** The delegation of a user to an agent that was not revoked, expired or not. */
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

export interface NewDelegation {
  readonly id: DelegationId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** Replaces the previous delegation completely: its tokens name another id. */
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

/** @returns its agent; undefined when there was none to revoke */
export async function revokeDelegation(
  tx: TenantTx,
  userId: UserId,
  id: DelegationId,
): Promise<AgentId | undefined> {
  const row = await tx.db
    .updateTable('delegations')
    .set({ revoked_at: tx.now, revoke_reason: 'revoked' })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('agent_id')
    .executeTakeFirst();
  return row?.agent_id;
}
