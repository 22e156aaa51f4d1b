import type { TenantId } from '@keywright/contract/ids';
import { spendProofs } from '../../../../sql/machines/kw_spend_proofs.ts';
import { spendStatements } from '../../../../sql/machines/kw_spend_statements.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/batch.ts';
import { sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate } from '../../../tenancy/gate.ts';

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
