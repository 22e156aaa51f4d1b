import type { Fail } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { Permit, Shown } from '../proofs/index.ts';
import { linkWaiting } from '../identity-providers/index.ts';
import { openAccepting } from './invited.ts';
import { decideOn, demandsOn } from './next.ts';
import { answerOf, tellOf } from './present-answer.ts';
import { attemptsIn, carriedOver, isNewDevice, type ShownProof, storedProof } from './rules.ts';
import type { CompletionDependencies, Step } from './step.ts';
import { endWith, type FlowUser, lockFlow, replaceProofs, type StoredFlow } from './store.ts';

type Refuse = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;

interface Ending {
  readonly tenant: Tenant;
  readonly flow: StoredFlow;
  readonly step: Step;
}

/** What came of a change of the account. */
interface Changed {
  readonly authVersion: number;
  readonly after: Partial<FlowUser>;
  readonly added: readonly ShownProof[];
}

/** Completes a flow with a change of the account, in the transaction that opens the session. */
export async function completeWith(
  given: CompletionDependencies,
  { tenant, flow, step }: Ending,
  change: (tx: TenantTx, user: FlowUser) => Promise<Changed>,
  fail: Refuse,
): Promise<FlowAnswer> {
  const user = flow.user ?? fail('FLOW_ENDED');
  const { from, userAgent, cookie, knownDevice } = step;
  const attempts = [...attemptsIn(flow.proofs), ...(step.attempts ?? [])];
  const { id, version, workspaceId, stepsUp } = flow;
  const { jti } = flow.secret;
  const { id: userId, authVersion: before } = user;
  const isNew = isNewDevice(flow.proofs, knownDevice, { userId, authVersion: before });
  let permit: Permit | undefined;
  // Within the transaction nothing is looked up on another connection.
  const demands = await demandsOn(given, tenant, flow);
  const decideAgain = async (tx: TenantTx) => {
    if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
    const { authVersion, after, added } = await change(tx, user);
    const carried = carriedOver(flow.proofs, user, authVersion);
    const proofs = [...carried, ...added.map((one) => storedProof(one, tx.now))];
    await replaceProofs(tx, flow, proofs);
    const changed = { ...user, ...after, authVersion };
    const next = decideOn(tenant, { ...flow, proofs, user: changed }, demands);
    if (next.status !== 'complete') return fail('FLOW_ENDED');
    if (stepsUp) await endWith(tx, id, stepsUp);
    permit = next.permit;
    return permit;
  };
  const ends = { flow: { id, version: version + 1, jti }, attempts };
  const request = { workspaceId, ...ends, from, userAgent, cookie, isNewDevice: isNew };
  const answer = stepsUp
    ? await given.sessions.stepUp(tenant, { id: stepsUp, from, jti }, decideAgain)
    : await openAccepting(given, tenant, flow, request, decideAgain, fail);
  if (isNew && !stepsUp) await tellOf(given, tenant, user.id, { from, userAgent }, answer);
  return answerOf(given, tenant, flow, permit, answer, knownDevice, fail);
}

interface Linking {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly flow: StoredFlow;
  readonly from: Origin;
}

/** Links the identity that waits for the proof of this account. @returns the proof that it is then */
export async function linkTo(
  { notify }: CompletionDependencies,
  { tx, tenant, flow, from }: Linking,
  shown: Shown,
  fail: Refuse,
): Promise<ShownProof> {
  const given = { tx, tenant, notify, by: anonymous(from) };
  const linked = (await linkWaiting(given, flow.id, shown)) ?? fail('FLOW_ENDED');
  return { method: 'upstream', userId: shown.userId, ...linked };
}
