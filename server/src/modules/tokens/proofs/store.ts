import { type AgentId, parseAgentId, type WorkspaceId } from '@keywright/contract/ids';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
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
