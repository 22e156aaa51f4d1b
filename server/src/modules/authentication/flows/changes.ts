import type { Fail } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { Completion } from './completion.ts';
import { type Step, stepIn } from './step.ts';
import type { FlowFinder } from './finder.ts';
import { type Acceptance, accepting, receiverOf } from './invited.ts';
import type { MethodName } from './flow-methods.ts';
import type { NextOf } from './next.ts';
import { carriedOver, MAX_PROOFS, type ShownProof, storedProof } from './rules.ts';
import { type FlowUser, lockFlow, redeemWith, replaceProofs, type StoredFlow } from './store.ts';

interface Parts {
  readonly gate: Gate;
  readonly notes: Notes;
  readonly finder: FlowFinder;
  readonly nextOf: NextOf;
  readonly completion: Completion;
}

type Refuse = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;

/** Steps that change an account: the change and the proof are one transaction. */
export class FlowChanges {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Uses a challenge of the flow, and changes the account that the proof is about.
   * @param change returns the proof that it leads to; undefined: the flow needs another one first
   */
  async redeemWith(
    tenant: Tenant,
    flow: StoredFlow,
    challenge: string,
    change: (tx: TenantTx) => Promise<ShownProof | undefined>,
    given: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const step = stepIn(flow, given);
    const data = this.#parts.gate.into(tenant.id);
    const redeemed = (acceptance: Acceptance) =>
      data.transaction(async (tx) => {
        const { knownDevice } = step;
        const proof = async () => {
          await acceptance.hold(tx, receiverOf(flow));
          const shown = await change(tx);
          return shown && storedProof({ ...shown, knownDevice }, tx.now);
        };
        if (!(await redeemWith(tx, flow, challenge, proof))) fail('FLOW_ENDED');
      });
    await accepting(this.#parts, tenant, flow, step.from, redeemed, fail);
    return this.#proceed(tenant, flow, step, fail);
  }

  /** @param change returns the proof that it leads to; undefined: the flow needs another one first */
  async proveWithin(
    tenant: Tenant,
    flow: StoredFlow,
    change: (tx: TenantTx) => Promise<ShownProof | undefined>,
    given: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const step = stepIn(flow, given);
    if (flow.proofs.length >= MAX_PROOFS) fail('FLOW_ENDED');
    const data = this.#parts.gate.into(tenant.id);
    const proven = (acceptance: Acceptance) =>
      data.transaction(async (tx) => {
        if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
        await acceptance.hold(tx, receiverOf(flow));
        const shown = await change(tx);
        if (!shown) return;
        const proof = storedProof({ ...shown, knownDevice: step.knownDevice }, tx.now);
        await replaceProofs(tx, flow, [...flow.proofs, proof]);
      });
    await accepting(this.#parts, tenant, flow, step.from, proven, fail);
    return this.#proceed(tenant, flow, step, fail);
  }

  /**
   * Changes the account of the user. That raises their version; the proofs of this flow alone are carried over to it.
   * @param change locks the user, and returns the new version
   */
  async change(
    tenant: Tenant,
    flow: StoredFlow,
    method: MethodName,
    change: (tx: TenantTx, user: FlowUser) => Promise<number>,
    step: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const user = flow.user ?? fail('FLOW_ENDED');
    const data = this.#parts.gate.into(tenant.id);
    await data.transaction(async (tx) => {
      if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
      const authVersion = await change(tx, user);
      const proof = storedProof({ method, userId: user.id, authVersion }, tx.now);
      await replaceProofs(tx, flow, [...carriedOver(flow.proofs, user, authVersion), proof]);
    });
    return this.#proceed(tenant, flow, step, fail);
  }

  /** On the proofs that are stored. */
  async #proceed(
    tenant: Tenant,
    before: StoredFlow,
    step: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const { finder, nextOf, completion } = this.#parts;
    const flow = (await finder.reload(tenant, before)) ?? fail('FLOW_ENDED');
    return completion.follow(tenant, flow, await nextOf(tenant, flow), step, fail);
  }
}
