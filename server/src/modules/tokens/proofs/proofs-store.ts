import type { TenantId } from '@keywright/contract/ids';
import { spendProofs } from '../../../../sql/machines/kw_spend_proofs.ts';
import { spendStatements } from '../../../../sql/machines/kw_spend_statements.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched, sortedBatch, writeTogether } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** A signed statement that can be used once. */
interface Statement {
  readonly tenantId: TenantId;
  /** The maker of the statement and the maker's role, since two makers can use the same `jti`. */
  readonly maker: string;
  readonly jti: string;
  /** When the statement has expired and can be forgotten. */
  readonly endsAt: Date;
}

interface IdentifiedStatement extends Statement {
  readonly id: Buffer;
}

/** Statements that were used. Concurrent uses, of any tenants, share one SQL statement and one commit. */
export class SpentStatements {
  readonly #spend: (statement: IdentifiedStatement) => Promise<boolean>;

  /** @param kind commits of `proofs` do not wait for the disk */
  constructor(gate: Gate, kind: 'statements' | 'proofs') {
    const call = kind === 'proofs' ? spendProofs : spendStatements;
    this.#spend = batched(
      (all: readonly IdentifiedStatement[]) =>
        writeTogether(all, (batch) => spendBatch(gate, call, batch)),
      { size: 64, flights: 2 },
    );
  }

  /** Marks a statement as used; a unique row decides races. @returns whether it had not been used before */
  spend(statement: Statement): Promise<boolean> {
    const { maker, jti } = statement;
    return this.#spend({ ...statement, id: sha256(JSON.stringify([maker, jti])) });
  }
}

async function spendBatch(
  gate: Gate,
  call: typeof spendProofs,
  statements: readonly IdentifiedStatement[],
) {
  const { sorted, unsorted } = sortedBatch(
    statements,
    ({ tenantId, id }) => `${tenantId} ${id.toString('hex')}`,
  );
  const [row] = await gate.callMany(call, {
    tenants: sorted.map((statement) => statement.tenantId),
    ids: sorted.map((statement) => statement.id),
    ends: sorted.map((statement) => statement.endsAt),
  });
  return unsorted(sorted.map((_, index) => row?.answer[index] === '1'));
}
