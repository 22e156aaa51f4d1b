import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { liveGrants } from '../../../../sql/tokens/kw_live_grants.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Grant } from './grant-rules.ts';

/**
 * Checks whether grants are alive and still have the permissions of their access tokens. Each use is checked, so
 * revoked sessions and keys and removed permissions are rejected from the next request on, on every node. Requests
 * that come in during a query share the next query: with several concurrent queries, each covered fewer grants and
 * cost the database more.
 */
export class Liveness {
  readonly isAlive: (grant: Grant) => Promise<boolean>;

  constructor(gate: Gate, clock: Clock) {
    this.isAlive = batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
      size: 256,
      flights: 1,
    });
  }
}

/** Returns, in order, whether each grant is alive and still has the version of its tokens. */
async function areAlive(gate: Gate, grants: readonly Grant[], now: Date): Promise<boolean[]> {
  // A grant shared by several requests is looked up once; sorting puts grants of the same kind next to each other.
  const placed = grants.map((grant) => [placeOf(grant), grant] as const);
  const distinct = new Map(placed);
  const inOrder = [...distinct.keys()].toSorted();
  const queried = inOrder.flatMap((place) => distinct.get(place) ?? []);
  const [row] = await gate.callMany(liveGrants, {
    tenants: queried.map((grant) => grant.tenantId),
    grants: queried.map((grant) => grant.id),
    versions: queried.map((grant) => grant.version),
    now,
  });
  const alive = new Set(inOrder.filter((_, index) => row?.answer[index] === '1'));
  return placed.map(([place]) => alive.has(place));
}

/** A key that is unique to the grant and version: none of its parts contains a space. */
function placeOf({ tenantId, id, version }: Grant): string {
  return `${id} ${tenantId} ${version}`;
}

/**
 * Invalidates a user's access tokens after a change of the user's permissions: tokens issued before are rejected from
 * the next request on, and new tokens have the current permissions. The functions here lock rows in the order of IDs.
 */
export async function outdateAccessOfUser(tx: TenantTx, userId: UserId): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT id FROM sessions WHERE tenant_id = ${tx.tenantId} AND user_id = ${userId} AND is_active
       ORDER BY id FOR UPDATE
    )
    UPDATE sessions s SET access_version = access_version + 1
      FROM locked WHERE s.tenant_id = ${tx.tenantId} AND s.id = locked.id`.execute(tx.db);
  await sql`
    WITH locked AS (
      SELECT id FROM delegations
       WHERE tenant_id = ${tx.tenantId} AND user_id = ${userId} AND revoked_at IS NULL
       ORDER BY id FOR UPDATE
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM locked WHERE d.tenant_id = ${tx.tenantId} AND d.id = locked.id`.execute(tx.db);
}

/** Invalidates the access tokens of all users with a role after a change of the role's scopes. */
export async function outdateAccessOfHolders(tx: TenantTx, role: string): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT s.id FROM sessions s
        JOIN user_roles r ON r.tenant_id = s.tenant_id AND r.user_id = s.user_id
       WHERE s.tenant_id = ${tx.tenantId} AND r.role = ${role} AND s.is_active
       ORDER BY s.id FOR UPDATE OF s
    )
    UPDATE sessions s SET access_version = access_version + 1
      FROM locked WHERE s.tenant_id = ${tx.tenantId} AND s.id = locked.id`.execute(tx.db);
  await sql`
    WITH locked AS (
      SELECT d.id FROM delegations d
        JOIN user_roles r ON r.tenant_id = d.tenant_id AND r.user_id = d.user_id
       WHERE d.tenant_id = ${tx.tenantId} AND r.role = ${role} AND d.revoked_at IS NULL
       ORDER BY d.id FOR UPDATE OF d
    )
    UPDATE delegations d SET access_version = access_version + 1
      FROM locked WHERE d.tenant_id = ${tx.tenantId} AND d.id = locked.id`.execute(tx.db);
}
