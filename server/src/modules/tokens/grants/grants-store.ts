import type { AgentId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { liveGrants } from '../../../../sql/tokens/kw_live_grants.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Grant } from './grant-rules.ts';

/**
 * Whether a grant is alive and still has the permissions of the access token, queried each time: revoked sessions and
 * keys, and removed permissions, are rejected from the next request on, on every node. Requests that arrive during a
 * query share the next one: with several concurrent queries each had fewer grants, and cost the database more.
 */
export type IsAlive = (grant: Grant) => Promise<boolean>;

export function createIsAlive(gate: Gate, clock: Clock): IsAlive {
  return batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
    size: 256,
    flights: 1,
  });
}

/** Which of these grants are alive and still have the version of their tokens, in order. */
async function areAlive(gate: Gate, grants: readonly Grant[], now: Date): Promise<boolean[]> {
  // A grant shared by several requests is looked up once; those of a kind are adjacent.
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

/** A key that is unique to the question: none of its parts contains a space. */
function placeOf({ tenantId, id, version }: Grant): string {
  return `${id} ${tenantId} ${version}`;
}

/**
 * Previously issued access tokens are rejected from the next request on; new ones have the current permissions. Rows
 * are locked in the order of their ids, like everywhere that several are locked.
 */

/** After a change of a user's permissions. */
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

/** After a change of a role's scopes: for all its holders. */
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
 * After a change of an agent's permissions or means of authentication. Its own version is updated by the statement that
 * changes it: a second one would lock its workspace afterwards, in the opposite order to others.
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
