import type { Fail } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Device } from '../../../tenancy/device.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Attempt, giveBackAttempt } from '../attempts/index.ts';
import type { Next, Permit } from '../proofs/index.ts';
import { type MethodName, METHODS } from './flow-methods.ts';
import { type Acceptance, accepting, openAccepting, receiverOf } from './invited.ts';
import { type Joining, joinWith } from './joining.ts';
import { completeWith, linkTo } from './complete-with.ts';
import { answerOf, presentAnswer, tellOf } from './present-answer.ts';
import { presentFlow } from './present.ts';
import { attemptsIn, isNewDevice, isRepeatable, stepsOf } from './rules.ts';
import type { CompletionDependencies, Step } from './step.ts';
import { endWith, type FlowUser, lockFlow, type StoredFlow } from './store.ts';

type Refuse = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;

/** Ends flows with what they lead to: a session, or the stronger login of one. */
export class Completion {
  readonly #given: CompletionDependencies;

  constructor(given: CompletionDependencies) {
    this.#given = given;
  }

  /** What was decided on the stored proofs of a flow. */
  async follow(
    tenant: Tenant,
    flow: StoredFlow,
    next: Next,
    step: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    if (next.status === 'ended') return fail('FLOW_ENDED');
    if (next.status === 'complete') {
      return flow.purpose === 'linking'
        ? this.#link(tenant, flow, step, fail)
        : this.complete(tenant, flow, next.permit, step, fail);
    }
    return { flow: presentFlow(tenant.id, flow, 'needs', stepsOf(next, flow, tenant)) };
  }

  async complete(
    tenant: Tenant,
    flow: StoredFlow,
    permit: Permit,
    { attempts: ofStep = [], knownDevice, challenge, ...device }: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const { id, version, workspaceId, stepsUp } = flow;
    const { jti } = flow.secret;
    const attempts = [...attemptsIn(flow.proofs), ...ofStep];
    const change = async (tx: TenantTx) => {
      if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
      if (stepsUp) await endWith(tx, id, stepsUp);
      return permit;
    };
    // The statement that opens the session checks the flow, the user and the tenant again.
    const isNew = isNewDevice(flow.proofs, knownDevice, permit);
    const ends = { flow: { id, version, jti, challenge }, attempts };
    const opened = { workspaceId, ...ends, ...device, isNewDevice: isNew };
    const answer = stepsUp
      ? await this.#given.sessions.stepUp(tenant, { id: stepsUp, from: device.from, jti }, change)
      : flow.invitation
        ? await openAccepting(this.#given, tenant, flow, opened, change, fail)
        : await this.#given.sessions.open(tenant, { permit, ...opened });
    if (isNew && !stepsUp) await tellOf(this.#given, tenant, permit.userId, device, answer);
    if (stepsUp) await this.#giveBack(tenant, attempts);
    return answerOf(this.#given, tenant, flow, permit, answer, knownDevice, fail);
  }

  /**
   * With a second factor that the user adds. That raises their version; the proofs of this flow alone are carried over
   * to it, in the same transaction.
   * @param enrol locks the user, adds the factor, and returns the new version
   */
  async enrol(
    tenant: Tenant,
    flow: StoredFlow,
    method: MethodName,
    device: Device,
    enrol: (tx: TenantTx, user: FlowUser) => Promise<number>,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const hasPasskey = METHODS[method].allowedAs === 'passkey';
    const change = async (tx: TenantTx, user: FlowUser) => {
      const enrolled = await enrol(tx, user);
      const shown = { userId: user.id, authVersion: enrolled };
      const isLinking = flow.purpose === 'linking';
      const linked = isLinking
        ? await linkTo(this.#given, { tx, tenant, flow, from: device.from }, shown, fail)
        : undefined;
      const authVersion = linked?.authVersion ?? enrolled;
      const after = { hasSecondFactor: true, hasPasskey: hasPasskey || user.hasPasskey };
      const added = [{ method, userId: user.id, authVersion }, ...(linked ? [linked] : [])];
      return { authVersion, after, added };
    };
    return completeWith(this.#given, { tenant, flow, step: device }, change, fail);
  }

  /** With the identity at a provider that waits for the proof of this account. */
  #link(tenant: Tenant, flow: StoredFlow, step: Step, fail: Refuse): Promise<FlowAnswer> {
    const change = async (tx: TenantTx, { id: userId, authVersion: before }: FlowUser) => {
      const shown = { userId, authVersion: before };
      const at = { tx, tenant, flow, from: step.from };
      const linked = await linkTo(this.#given, at, shown, fail);
      return { authVersion: linked.authVersion, after: {}, added: [linked] };
    };
    return completeWith(this.#given, { tenant, flow, step }, change, fail);
  }

  /** With the first credential of whoever was invited. @returns undefined if the flow needs more */
  async join(
    tenant: Tenant,
    flow: StoredFlow,
    joining: Joining,
    device: Device,
    fail: Refuse,
  ): Promise<FlowAnswer | undefined> {
    const { expected, join } = await joinWith(this.#given, tenant, flow, joining);
    const change = async (tx: TenantTx, acceptance: Acceptance) => {
      if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
      await acceptance.hold(tx, receiverOf(flow));
      return join(tx);
    };
    if (expected.status !== 'complete') {
      const data = this.#given.gate.into(tenant.id);
      const step = (acceptance: Acceptance) => data.transaction((tx) => change(tx, acceptance));
      await accepting(this.#given, tenant, flow, device.from, step, fail);
      return undefined;
    }
    let permit: Permit | undefined;
    const { id, version, workspaceId, secret } = flow;
    const ends = { flow: { id, version: version + 1, jti: secret.jti }, attempts: [] };
    const request = { workspaceId, ...ends, ...device, isNewDevice: true };
    const joined = async (tx: TenantTx, acceptance: Acceptance) => {
      const next = await change(tx, acceptance);
      if (next.status !== 'complete') return fail('FLOW_ENDED');
      permit = next.permit;
      return permit;
    };
    const answer = await openAccepting(this.#given, tenant, flow, request, joined, fail);
    return answerOf(this.#given, tenant, flow, permit, answer, undefined, fail);
  }

  /** The tokens that a flow has led to, as long as a used refresh token is repeated, and as long as they are unused. */
  async repeat(tenant: Tenant, flow: StoredFlow, fail: Fail<'FLOW_ENDED'>): Promise<FlowAnswer> {
    const { sessionId: id, secret, user } = flow;
    const { clock, sessions } = this.#given;
    if (!id || !isRepeatable(flow, tenant.config, clock.now())) return fail('FLOW_ENDED');
    const answer = (await sessions.tokensOf(tenant, { id, jti: secret.jti })) ?? fail('FLOW_ENDED');
    if (answer.user.id !== user?.id) return fail('FLOW_ENDED');
    return presentAnswer(this.#given, tenant, flow, user, answer, undefined);
  }

  async #giveBack(tenant: Tenant, attempts: readonly Attempt[]): Promise<void> {
    const { gate, clock } = this.#given;
    const data = gate.into(tenant.id);
    for (const { subject } of attempts) await giveBackAttempt(data, subject, clock.now());
  }
}
