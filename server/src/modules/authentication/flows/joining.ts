import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Next } from '../proofs/index.ts';
import { type MethodName, METHODS } from './flow-methods.ts';
import { decideOn, demandsOn, type NextDependencies } from './next.ts';
import { inviteeOf, storedProof } from './rules.ts';
import { type FlowUser, replaceProofs, type StoredFlow } from './store.ts';

/** How the account of somebody who was invited is made, or passes to them. */
export interface Joining {
  /** Of their first credential. */
  readonly method: MethodName;
  /** The account, without credentials. */
  readonly settle: (tx: TenantTx) => Promise<FlowUser>;
  /** Adds the credential. @returns the new version of the user */
  readonly add: (tx: TenantTx, user: FlowUser) => Promise<number>;
}

interface Joined {
  /** What is decided unless something changes meanwhile. */
  readonly expected: Next;
  /** In the transaction, in which the flow is locked. */
  readonly join: (tx: TenantTx) => Promise<Next>;
}

export async function joinWith(
  dependencies: NextDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  { method, settle, add }: Joining,
): Promise<Joined> {
  const isPasskey = METHODS[method].allowedAs === 'passkey';
  const joinedBy = (user: FlowUser, at: Date): StoredFlow => {
    const { id: userId, authVersion } = user;
    const proofs = (['invitation', method] as const).map((one) =>
      storedProof({ method: one, userId, authVersion }, at),
    );
    const factors = isPasskey ? { hasSecondFactor: true, hasPasskey: true } : {};
    return { ...flow, user: { ...user, ...factors }, proofs };
  };
  const expected = joinedBy(inviteeOf(flow), flow.expiresAt);
  // Within the transaction nothing is looked up on another connection.
  const demands = await demandsOn(dependencies, tenant, expected);
  return {
    expected: decideOn(tenant, expected, demands),
    join: async (tx) => {
      const settled = await settle(tx);
      const authVersion = await add(tx, settled);
      const joined = joinedBy({ ...settled, authVersion }, tx.now);
      await replaceProofs(tx, flow, joined.proofs);
      return decideOn(tenant, joined, demands);
    },
  };
}
