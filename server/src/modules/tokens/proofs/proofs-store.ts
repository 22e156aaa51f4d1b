import {
  type TenantId,
  type AgentId,
  parseAgentId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
import { spendProofs } from '../../../../sql/machines/kw_spend_proofs.ts';
import { spendStatements } from '../../../../sql/machines/kw_spend_statements.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/batch.ts';
import { sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';

/** A signed statement that is good once. */
interface Statement {
  readonly tenantId: TenantId;
  /** Whose statement it is, and as what: two makers may give the same `jti`. */
  readonly maker: string;
  readonly jti: string;
  /** It is remembered until then. */
  readonly endsAt: Date;
}

/** Uses a statement up. A unique row decides a race. @returns whether it had not been used before */
export type Spend = (statement: Statement) => Promise<boolean>;

/**
 * Concurrent ones, of any tenants, are one statement and one commit.
 * @param what proofs do not wait for the disk
 */
export function createSpend(gate: Gate, what: 'statements' | 'proofs'): Spend {
  const used = what === 'proofs' ? spendProofs : spendStatements;
  const spendAll = (some: readonly (Statement & { readonly id: Buffer })[]) =>
    writeTogether(some, async (statements) => {
      const { sorted, unsorted } = sortedBatch(
        statements,
        ({ tenantId, id }) => `${tenantId} ${id.toString('hex')}`,
      );
      const [row] = await gate.callMany(used, {
        tenants: sorted.map((one) => one.tenantId),
        ids: sorted.map((one) => one.id),
        ends: sorted.map((one) => one.endsAt),
      });
      return unsorted(sorted.map((_, index) => row?.answer[index] === '1'));
    });
  const spend = batched(spendAll, { size: 64, flights: 2 });
  return (one) => spend({ ...one, id: sha256(JSON.stringify([one.maker, one.jti])) });
}

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
