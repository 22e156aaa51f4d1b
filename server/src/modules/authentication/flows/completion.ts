import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type {
  OpenFirstSession,
  OpenSession,
  StepUp,
  TokensOf,
} from '../../tokens/sessions/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import { type Attempt, giveBackAttempt } from '../attempts/index.ts';
import type { Next, Permit } from '../proofs/index.ts';
import type { DeviceTokens, KnownDevice } from './device-tokens.ts';
import { type MethodName, METHODS } from './methods.ts';
import { type Acceptance, accepting, openAccepting, receiverOf } from './invited.ts';
import { type Joining, joinWith } from './joining.ts';
import type { TellOfDevice } from './new-device.ts';
import type { NextOf } from './next.ts';
import { presentFlow } from './present.ts';
import { carriedOver, isNewDevice, isRepeatable, stepsOf, storedProof } from './rules.ts';
import { endWith, type FlowUser, lockFlow, replaceProofs, type StoredFlow } from './store.ts';

/** What a step is made with. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
}

/** What came of a proof. */
export interface Step extends Device {
  /** What it was counted by, which is given back when the flow is complete. */
  readonly attempts?: readonly Attempt[];
  readonly knownDevice?: KnownDevice | undefined;
  /** What the proof was, which is used with the completion of the flow. */
  readonly challenge?: string;
}

type Refuse = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;
type Opened = Awaited<ReturnType<OpenSession>>;

export interface CompletionDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly openSession: OpenSession;
  /** In the transaction of a change that the session depends on. */
  readonly openSessionWithin: OpenFirstSession;
  readonly stepUp: StepUp;
  readonly tokensOf: TokensOf;
  readonly deviceTokens: DeviceTokens;
  readonly tellOfDevice: TellOfDevice;
  readonly notes: Notes;
}

/** Ends flows with what they lead to: a session, or the stronger login of one. */
export class Completion {
  readonly #given: CompletionDependencies;
  readonly #nextOf: NextOf;

  constructor(given: CompletionDependencies, nextOf: NextOf) {
    this.#given = given;
    this.#nextOf = nextOf;
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
    if (next.status === 'complete') return this.complete(tenant, flow, next.permit, step, fail);
    return { flow: presentFlow(tenant.id, flow, 'needs', stepsOf(next, flow, tenant)) };
  }

  async complete(
    tenant: Tenant,
    flow: StoredFlow,
    permit: Permit,
    { attempts = [], knownDevice, challenge, ...device }: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const { id, version, workspaceId, stepsUp } = flow;
    const { jti } = flow.secret;
    const change = async (tx: TenantTx) => {
      if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
      if (stepsUp) await endWith(tx, id, stepsUp);
      return permit;
    };
    // The statement that opens the session checks the flow, the user and the tenant again.
    const isNew = isNewDevice(flow.proofs, knownDevice, permit.userId);
    const ends = { flow: { id, version, jti, challenge }, attempts };
    const opened = { workspaceId, ...ends, ...device, isNewDevice: isNew };
    const answer = stepsUp
      ? await this.#given.stepUp(tenant, { id: stepsUp, from: device.from, jti }, change)
      : flow.invitation
        ? await openAccepting(this.#given, tenant, flow, opened, change, fail)
        : await this.#given.openSession(tenant, { permit, ...opened });
    if (isNew && !stepsUp) await this.#tell(tenant, permit.userId, device, answer);
    if (stepsUp) await this.#giveBack(tenant, attempts);
    return this.#answered(tenant, flow, permit, answer, knownDevice, fail);
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
    const user = flow.user ?? fail('FLOW_ENDED');
    const { id, version, workspaceId, stepsUp } = flow;
    const { jti } = flow.secret;
    const isNew = isNewDevice(flow.proofs, undefined, user.id);
    let permit: Permit | undefined;
    const change = async (tx: TenantTx) => {
      if (!(await lockFlow(tx, flow))) return fail('FLOW_ENDED');
      const authVersion = await enrol(tx, user);
      const added = { method, userId: user.id, authVersion };
      const proofs = [...carriedOver(flow.proofs, user, authVersion), storedProof(added, tx.now)];
      await replaceProofs(tx, flow, proofs);
      const hasPasskey = user.hasPasskey || METHODS[method].allowedAs === 'passkey';
      const changed = { ...user, authVersion, hasSecondFactor: true, hasPasskey };
      const next = await this.#nextOf(tenant, { ...flow, proofs, user: changed });
      if (next.status !== 'complete') return fail('FLOW_ENDED');
      if (stepsUp) await endWith(tx, id, stepsUp);
      permit = next.permit;
      return permit;
    };
    const ends = { flow: { id, version: version + 1, jti }, attempts: [] };
    const request = { workspaceId, ...ends, ...device, isNewDevice: isNew };
    const answer = stepsUp
      ? await this.#given.stepUp(tenant, { id: stepsUp, from: device.from, jti }, change)
      : await openAccepting(this.#given, tenant, flow, request, change, fail);
    if (isNew && !stepsUp) await this.#tell(tenant, user.id, device, answer);
    return this.#answered(tenant, flow, permit, answer, undefined, fail);
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
    return this.#answered(tenant, flow, permit, answer, undefined, fail);
  }

  /** The tokens that a flow has led to, as long as a used refresh token is repeated, and as long as they are unused. */
  async repeat(tenant: Tenant, flow: StoredFlow, fail: Fail<'FLOW_ENDED'>): Promise<FlowAnswer> {
    const { sessionId: id, secret, user } = flow;
    const { clock, tokensOf } = this.#given;
    if (!id || !isRepeatable(flow, tenant.config, clock.now())) return fail('FLOW_ENDED');
    const answer = (await tokensOf(tenant, { id, jti: secret.jti })) ?? fail('FLOW_ENDED');
    if (answer.user.id !== user?.id) return fail('FLOW_ENDED');
    return this.#presented(tenant, flow, user, answer, undefined);
  }

  /** Of a login from a new device, if it opened a session. */
  async #tell(
    tenant: Tenant,
    userId: UserId,
    { userAgent }: Device,
    opened: Opened,
  ): Promise<void> {
    if (typeof opened !== 'object') return;
    await this.#given.tellOfDevice(tenant, userId, userAgent);
  }

  async #giveBack(tenant: Tenant, attempts: readonly Attempt[]): Promise<void> {
    const { gate, clock } = this.#given;
    const data = gate.into(tenant.id);
    for (const { subject } of attempts) await giveBackAttempt(data, subject, clock.now());
  }

  #answered(
    tenant: Tenant,
    flow: StoredFlow,
    permit: Permit | undefined,
    answer: Opened,
    knownDevice: KnownDevice | undefined,
    fail: Refuse,
  ): FlowAnswer {
    if (answer === 'workspace_unknown') return fail('NOT_FOUND');
    if (answer === 'refused' || !permit) return fail('FLOW_ENDED');
    const { userId: id, authVersion } = permit;
    return this.#presented(tenant, flow, { id, authVersion }, answer, knownDevice);
  }

  #presented(
    tenant: Tenant,
    flow: StoredFlow,
    { id: userId, authVersion }: Pick<FlowUser, 'id' | 'authVersion'>,
    answer: TokenAnswer,
    knownDevice: KnownDevice | undefined,
  ): FlowAnswer {
    const { deviceTokens, clock } = this.#given;
    const device = knownDevice ?? { id: flow.secret.deviceId, userId, authVersion };
    return {
      ...answer,
      device_token: deviceTokens.issue(tenant.id, { userId, authVersion }, device, clock.now()),
      flow: presentFlow(tenant.id, flow, 'complete'),
    };
  }
}
