import type { AgentId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { liveGrants } from '../../../../sql/tokens/kw_live_grants.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Grant } from './rules.ts';

/**
 * Whether a grant is alive and still gives what the access token says, asked of the database each time: a
 * revoked session or key, and permissions that were taken away, are refused by the very next request on every
 * node. Requests that come while one is under way share the next statement: with several under way each asked for
 * fewer, and cost the database more.
 */
export type IsAlive = (grant: Grant) => Promise<boolean>;

export function createIsAlive(gate: Gate, clock: Clock): IsAlive {
  return batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
    size: 256,
    flights: 1,
  });
}

/** Which of these grants are alive and still give what their tokens say, in their order. */
async function areAlive(gate: Gate, grants: readonly Grant[], now: Date): Promise<boolean[]> {
  // One that several requests hang on is asked for once; those of a kind stand together.
  const places = grants.map(placeOf);
  const distinct = new Map(grants.map((grant, index) => [places[index] as string, grant]));
  const inOrder = [...distinct.keys()].toSorted();
  const asked = inOrder.map((place) => distinct.get(place) as Grant);
  const [row] = await gate.callMany(liveGrants, {
    tenants: asked.map((one) => one.tenantId),
    grants: asked.map((one) => one.id),
    versions: asked.map((one) => one.version),
    now,
  });
  const alive = new Set(inOrder.filter((_, index) => row?.answer[index] === '1'));
  return places.map((place) => alive.has(place));
}

/** One name for the same question, unlike that of any other: no part of it holds a space. */
function placeOf({ tenantId, id, version }: Grant): string {
  return `${id} ${tenantId} ${version}`;
}

/*
 * Access tokens issued before are refused from the next request on; new ones say what is so now. Rows are locked
 * in the order of their ids, as whoever else locks several of them does.
 */

/** After what a user may do has changed. */
export async function outdateAccessOfUser(tx: TenantTx, userId: UserId): Promise<void> {
  await sql`
    WITH held AS (
      SELECT id FROM sessions WHERE tenant_id = ${tx.tenantId} AND user_id = ${userId} AND is_active
       ORDER BY id FOR UPDATE
    )
    UPDATE sessions s SET access_version = access_version + 1
      FROM held WHERE s.tenant_id = ${tx.tenantId} AND s.id = held.id`.execute(tx.db);
  await sql`
    WITH held AS (
      SELECT id FROM delegations
       WHERE tenant_id = ${tx.tenantId} AND user_id = ${userId} AND revoked_at IS NULL
       ORDER BY id FOR UPDATE
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM held WHERE d.tenant_id = ${tx.tenantId} AND d.id = held.id`.execute(tx.db);
}

/** After what a role gives has changed: for everyone who has it. */
export async function outdateAccessOfHolders(tx: TenantTx, role: string): Promise<void> {
  await sql`
    WITH held AS (
      SELECT s.id FROM sessions s
        JOIN user_roles r ON r.tenant_id = s.tenant_id AND r.user_id = s.user_id
       WHERE s.tenant_id = ${tx.tenantId} AND r.role = ${role} AND s.is_active
       ORDER BY s.id FOR UPDATE OF s
    )
    UPDATE sessions s SET access_version = access_version + 1
      FROM held WHERE s.tenant_id = ${tx.tenantId} AND s.id = held.id`.execute(tx.db);
  await sql`
    WITH held AS (
      SELECT d.id FROM delegations d
        JOIN user_roles r ON r.tenant_id = d.tenant_id AND r.user_id = d.user_id
       WHERE d.tenant_id = ${tx.tenantId} AND r.role = ${role} AND d.revoked_at IS NULL
       ORDER BY d.id FOR UPDATE OF d
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM held WHERE d.tenant_id = ${tx.tenantId} AND d.id = held.id`.execute(tx.db);
}

/**
 * After what an agent may do, or how it proves who it is, has changed. Its own version goes up in the statement
 * that changes it: a second one would lock its workspace behind it, which others do the other way round.
 */
export async function outdateDelegationsTo(tx: TenantTx, agentId: AgentId): Promise<void> {
  await sql`
    WITH held AS (
      SELECT id FROM delegations
       WHERE tenant_id = ${tx.tenantId} AND agent_id = ${agentId} AND revoked_at IS NULL
       ORDER BY id FOR UPDATE
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM held WHERE d.tenant_id = ${tx.tenantId} AND d.id = held.id`.execute(tx.db);
}
