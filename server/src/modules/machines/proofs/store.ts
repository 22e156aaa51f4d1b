import { type AgentId, parseAgentId, type WorkspaceId } from '@keywright/contract/ids';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The permissions and proofs of an agent that requests a token, from one snapshot. */
export interface ClientRow {
  readonly id: AgentId;
  readonly workspace_id: WorkspaceId;
  readonly scopes: readonly string[];
  readonly access_version: number;
  readonly jwks: AgentKeySet | null;
  readonly trusts: readonly AgentTrust[];
}

/** An active agent, by its id as it was presented. */
export async function findClient(tx: TenantTx, named: string): Promise<ClientRow | undefined> {
  const id = parseAgentId(named);
  if (!id) return undefined;
  const row = await tx.db
    .selectFrom('agents')
    .select(['id', 'workspace_id', 'scopes', 'access_version', 'jwks', 'trusts'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row as ClientRow | undefined;
}

/**
 * Consumes a statement. A unique row decides a race.
 * @returns whether it had not been used before
 */
export async function spend(
  tx: TenantTx,
  maker: string,
  jti: string,
  expiresAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('spent_assertions')
    .values({
      tenant_id: tx.tenantId,
      id: sha256(JSON.stringify([maker, jti])),
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
