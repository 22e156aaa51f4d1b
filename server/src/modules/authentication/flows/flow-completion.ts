import type { Fail } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Device, Origin } from '../../../tenancy/caller.ts';
import type { Attempt } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import type { OpenedSession, SessionRequest, SessionService } from '../../tokens/sessions/index.ts';
import { giveBackAttempt } from '../attempts/index.ts';
import { linkWaiting } from '../identity-providers/index.ts';
import type { Permit } from '../proofs/index.ts';
import { type FlowPolicy, decideFlowBy, mayJoin, presentFlow } from './flow-decision.ts';
import { type Acceptance, type FlowInvitations, receiverOf } from './flow-invitations.ts';
import {
  type FlowChange,
  attemptsIn,
  deviceIn,
  flowAfter,
  isNewDevice,
  isRepeatable,
} from './flow-rules.ts';
import {
  endStepUp,
  type FlowUser,
  lockFlow,
  redeemChallengeWithin,
  replaceProofs,
  type StoredFlow,
} from './flow-store.ts';
import {
  type DeviceTokens,
  isDeviceOf,
  type KnownDevice,
  type NewDevices,
} from './known-devices.ts';

/** A step of a flow: where it is made, and what is known about its device. */
export interface Step extends Device {
  /** The counters of the step, which are discounted when the flow is complete. */
  readonly attempts?: readonly Attempt[];
  readonly knownDevice?: KnownDevice | undefined;
}

/** A change of the account, in the transaction that stores its proofs. */
export interface FlowEffect {
  /** The challenge of the flow's message, which is used up in the same transaction. */
  readonly challenge?: string | undefined;
  /** @returns undefined if the flow needs another proof first */
  readonly effect: (tx: TenantTx) => Promise<FlowChange | undefined>;
}

type Refuse = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;
/** `refused`: the user or the flow has changed. `workspace_unknown`: the user is not a member of the requested workspace. */
type Opened = OpenedSession | 'refused' | 'workspace_unknown';

/** Completes flows: each leads to a session, or continues one with a stronger login. */
export class FlowCompletion {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #sessions: SessionService;
  readonly #deviceTokens: DeviceTokens;
  readonly #newDevices: NewDevices;
  readonly #invitations: FlowInvitations;

  constructor(
    { gate, clock }: Core,
    notices: Notices,
    sessions: SessionService,
    deviceTokens: DeviceTokens,
    newDevices: NewDevices,
    invitations: FlowInvitations,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#notices = notices;
    this.#sessions = sessions;
    this.#deviceTokens = deviceTokens;
    this.#newDevices = newDevices;
    this.#invitations = invitations;
  }

  /** Completes a flow with a decided permit. @param challenge is used up together with the flow */
  async complete(
    tenant: Tenant,
    flow: StoredFlow,
    permit: Permit,
    { attempts: ofStep = [], knownDevice, ...device }: Step,
    challenge: string | undefined,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const { id, version, workspaceId, stepsUp, secret, invitation } = flow;
    const attempts = [...attemptsIn(flow.proofs), ...ofStep];
    const isNew = isNewDevice(flow.proofs, knownDevice, permit);
    const ended = { id, version, jti: secret.jti, challenge };
    const opening = { ...device, workspaceId, flow: ended, attempts, isNewDevice: isNew };
    const lock = async (tx: TenantTx) => ((await lockFlow(tx, flow)) ? permit : fail('FLOW_ENDED'));
    // The statement that opens the session checks the flow, the user and the tenant again.
    const opened =
      stepsUp || invitation
        ? await this.#openWithin(tenant, flow, opening, lock, fail)
        : await this.#sessions.open(tenant, { ...opening, permit });
    if (isNew && !stepsUp && typeof opened === 'object') {
      await this.#newDevices.notify(tenant, permit.userId, device);
    }
    if (stepsUp) await this.#giveBack(tenant, attempts);
    return this.#respond(tenant, flow, permit, opened, knownDevice, fail);
  }

  /**
   * Completes a flow with a change of the account, in the transaction that opens the session.
   * @param policy for the user after the change: the transaction looks up nothing on another connection
   */
  async completeWithin(
    tenant: Tenant,
    flow: StoredFlow,
    change: FlowEffect,
    policy: FlowPolicy,
    step: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const { id, version, workspaceId, stepsUp, user, secret } = flow;
    const { from, userAgent, cookie, knownDevice } = step;
    const joins = mayJoin(flow);
    const before = user && { userId: user.id, authVersion: user.authVersion };
    const isNew = joins || !before || isNewDevice(flow.proofs, knownDevice, before);
    const attempts = [...attemptsIn(flow.proofs), ...(step.attempts ?? [])];
    const ended = { id, version: version + 1, jti: secret.jti };
    const opening = { workspaceId, flow: ended, attempts, from, userAgent, cookie };
    const effect =
      flow.purpose === 'linking' ? this.#linking(tenant, flow, change, from, fail) : change;
    let permit: Permit | undefined;
    const changeAndDecide = async (tx: TenantTx, acceptance: Acceptance) => {
      const after = await applyEffect(tx, flow, effect, acceptance, knownDevice, fail);
      const next = decideFlowBy(tenant, after, policy);
      if (next.status !== 'complete') return fail('FLOW_ENDED');
      permit = next.permit;
      return permit;
    };
    const opened = await this.#openWithin(
      tenant,
      flow,
      { ...opening, isNewDevice: isNew },
      changeAndDecide,
      fail,
    );
    if (isNew && !joins && !stepsUp && permit && typeof opened === 'object') {
      await this.#newDevices.notify(tenant, permit.userId, { userAgent, from });
    }
    return this.#respond(tenant, flow, permit, opened, knownDevice, fail);
  }

  /**
   * Returns the tokens of a completed flow. They can be repeated as long as those of a used refresh token, and only
   * while unused.
   */
  async repeat(tenant: Tenant, flow: StoredFlow, fail: Fail<'FLOW_ENDED'>): Promise<FlowAnswer> {
    const { sessionId: id, secret, user } = flow;
    if (!id || !isRepeatable(flow, tenant.config, this.#clock.now())) return fail('FLOW_ENDED');
    const tokens = await this.#sessions.tokensOf(tenant, { id, jti: secret.jti });
    if (!tokens || tokens.user.id !== user?.id) return fail('FLOW_ENDED');
    return this.#present(tenant, flow, user, tokens, undefined);
  }

  /** Opens the session of a flow, or raises the session that it continues, in the transaction of a change. */
  #openWithin(
    tenant: Tenant,
    flow: StoredFlow,
    opening: Omit<SessionRequest, 'permit'>,
    change: (tx: TenantTx, acceptance: Acceptance) => Promise<Permit>,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<Opened> {
    const { id, stepsUp, secret } = flow;
    const { from } = opening;
    const open = (acceptance: Acceptance): Promise<Opened> =>
      stepsUp
        ? this.#sessions.stepUp(tenant, { id: stepsUp, from, jti: secret.jti }, async (tx) => {
            const permit = await change(tx, acceptance);
            await endStepUp(tx, id, stepsUp);
            return permit;
          })
        : this.#sessions.openFirst(tenant, opening, async (tx) => {
            const permit = await change(tx, acceptance);
            await acceptance.accept(tx, permit.userId);
            return permit;
          });
    return this.#invitations.accepting(tenant, flow, from, open, fail);
  }

  /** Links the identity that waits for the account's proof, after a change of the account. */
  #linking(
    tenant: Tenant,
    flow: StoredFlow,
    change: FlowEffect,
    from: Origin,
    fail: Fail<'FLOW_ENDED'>,
  ): FlowEffect {
    const effect = async (tx: TenantTx) => {
      const changed = (await change.effect(tx)) ?? fail('FLOW_ENDED');
      const user = changed.user ?? fail('FLOW_ENDED');
      const context = { tx, tenant, notices: this.#notices, by: anonymous(from) };
      const shown = { userId: user.id, authVersion: user.authVersion };
      const linked = (await linkWaiting(context, flow.id, shown)) ?? fail('FLOW_ENDED');
      const { authVersion } = linked;
      const identity = { method: 'upstream', userId: user.id, ...linked } as const;
      const proofs = changed.proofs.map(({ method, userId }) => ({ method, userId, authVersion }));
      return { user: { ...user, authVersion }, proofs: [...proofs, identity] };
    };
    return { ...change, effect };
  }

  async #giveBack(tenant: Tenant, attempts: readonly Attempt[]): Promise<void> {
    const data = this.#gate.into(tenant.id);
    for (const { subject } of attempts) await giveBackAttempt(data, subject, this.#clock.now());
  }

  #respond(
    tenant: Tenant,
    flow: StoredFlow,
    permit: Permit | undefined,
    opened: Opened,
    knownDevice: KnownDevice | undefined,
    fail: Refuse,
  ): FlowAnswer {
    if (opened === 'workspace_unknown') return fail('NOT_FOUND');
    if (opened === 'refused' || !permit) return fail('FLOW_ENDED');
    const { userId: id, authVersion } = permit;
    return this.#present(tenant, flow, { id, authVersion }, opened, knownDevice);
  }

  /** The response to the step that completes a flow. */
  #present(
    { id: tenantId }: Tenant,
    flow: StoredFlow,
    { id: userId, authVersion }: Pick<FlowUser, 'id' | 'authVersion'>,
    opened: OpenedSession,
    knownDevice: KnownDevice | undefined,
  ): FlowAnswer {
    const proven = deviceIn(flow);
    const id = proven === undefined ? flow.secret.deviceId : Buffer.from(proven, 'base64url');
    const user = { userId, authVersion };
    const device = knownDevice?.userId === userId ? knownDevice : { id, ...user };
    // The user is not notified of a step-up, so a step-up must not make a new device a known one.
    const isIssued =
      flow.stepsUp === undefined || proven !== undefined || isDeviceOf(knownDevice, user);
    return {
      ...('cookie' in opened ? {} : opened),
      ...(isIssued && {
        device_token: this.#deviceTokens.issue(tenantId, user, device, this.#clock.now()),
      }),
      flow: presentFlow(tenantId, flow, 'complete'),
    };
  }
}

/** Locks the flow, changes the account, and stores the proofs. @returns the changed flow */
export async function applyEffect(
  tx: TenantTx,
  flow: StoredFlow,
  { challenge, effect }: FlowEffect,
  acceptance: Acceptance,
  knownDevice: KnownDevice | undefined,
  fail: Fail<'FLOW_ENDED'>,
): Promise<StoredFlow> {
  const isLocked =
    challenge === undefined
      ? await lockFlow(tx, flow)
      : await redeemChallengeWithin(tx, flow, challenge);
  if (!isLocked) return fail('FLOW_ENDED');
  await acceptance.lock(tx, receiverOf(flow));
  const change = await effect(tx);
  if (!change) return flow;
  const after = flowAfter(flow, change, knownDevice, tx.now);
  await replaceProofs(tx, flow, after.proofs);
  return after;
}
