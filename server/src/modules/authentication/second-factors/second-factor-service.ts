import type { Fail } from '@keywright/contract/errors';
import type { FactorId, UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Change, type Notes, recordAll } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { rateLimitOf } from '../attempts/index.ts';
import { deviceIn, type Flows, type StoredFlow } from '../flows/index.ts';
import { GUESS_LIMITS, guessSubject } from './second-factor-store.ts';
import type { EnteredCode, RefusedCode, SecondFactorVerifier } from './second-factor-codes.ts';

type Refuse = Fail<
  'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'
>;

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface EnteredInFlow {
  readonly flow: StoredFlow;
  readonly userId: UserId;
  readonly device: Device;
}

/** The steps of a flow that prove a second factor by a code. */
export class SecondFactorService {
  readonly #gate: Gate;
  readonly #flows: Flows;
  readonly #verifier: SecondFactorVerifier;
  readonly #notes: Notes;
  readonly #notify: Notify;

  constructor(
    gate: Gate,
    flows: Flows,
    verifier: SecondFactorVerifier,
    notes: Notes,
    notify: Notify,
  ) {
    this.#gate = gate;
    this.#flows = flows;
    this.#verifier = verifier;
    this.#notes = notes;
    this.#notify = notify;
  }

  async proveTotp(
    tenant: Tenant,
    { id, token }: FlowRef,
    code: string,
    device: Device,
    fail: Refuse,
  ): Promise<FlowAnswer> {
    const flow = await this.#flows.open(tenant, id, token, 'totp', fail);
    const entered = enteredIn(tenant, flow, code, fail);
    const { userId } = entered;
    const checked = await this.#verifier.checkTotp(entered);
    if (checked.outcome !== 'accepted') {
      return this.#refuse(tenant, 'totp', { flow, userId, device }, checked, fail);
    }
    const step = { ...device, attempts: [attemptOf('totp', entered)] };
    const proof = { method: 'totp', ...checked.shown } as const;
    return this.#flows.commit(tenant, flow, { proof }, step, fail);
  }

  async proveRecoveryCode(
    tenant: Tenant,
    { id, token }: FlowRef,
    code: string,
    device: Device,
    fail: Refuse,
  ): Promise<FlowAnswer & { recovery_code: string }> {
    const flow = await this.#flows.open(tenant, id, token, 'recovery_code', fail);
    const entered = enteredIn(tenant, flow, code, fail);
    const { userId } = entered;
    const checked = await this.#verifier.checkRecoveryCode(entered);
    if (checked.outcome !== 'accepted') {
      return this.#refuse(tenant, 'recovery_code', { flow, userId, device }, checked, fail);
    }
    const step = { ...device, attempts: [attemptOf('recovery_code', entered)] };
    const proof = { method: 'recovery_code', ...checked.shown } as const;
    const answer = await this.#flows.commit(tenant, flow, { proof }, step, fail);
    return { ...answer, recovery_code: checked.next };
  }

  async #refuse(
    tenant: Tenant,
    method: 'totp' | 'recovery_code',
    { flow, userId, device }: EnteredInFlow,
    refused: RefusedCode,
    fail: Refuse,
  ): Promise<never> {
    this.#notes.note(tenant.id, anonymous(device.from), {
      action: 'auth.login_failed',
      method: 'second_factor',
      target: { kind: 'user', id: userId },
      outcome: 'failure',
      details: { reason: `${method}_${refused.outcome}`, identifier: null, flow_id: flow.id },
    });
    const suspended = refused.outcome === 'wrong' ? refused.suspended : [];
    if (suspended.length > 0) {
      const changes = suspended.map((factor) => suspension(factor, userId));
      await this.#gate
        .into(tenant.id)
        .transaction((tx) => recordAll(tx, anonymous(device.from), changes));
    }
    await notifyRefusedFactor(this.#gate, this.#notify, tenant, userId, device);
    if (refused.outcome === 'wrong') return fail('CODE_WRONG');
    if (refused.outcome === 'spent') return fail('FLOW_ENDED');
    const limits = [rateLimitOf('user', GUESS_LIMITS)];
    return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: refused.retryAfterSeconds, limits });
  }
}

function enteredIn(
  tenant: Tenant,
  flow: StoredFlow,
  code: string,
  fail: Fail<'FLOW_ENDED'>,
): EnteredCode {
  const { id: userId } = flow.user ?? fail('FLOW_ENDED');
  const knownDevice = deviceIn(flow);
  return { tenantId: tenant.id, userId, challengeId: flow.id, knownDevice, code };
}

/** The counted guess, which is refunded when the flow completes. */
function attemptOf(method: 'totp' | 'recovery_code', { userId, knownDevice }: EnteredCode) {
  return { kind: 'identifier', subject: guessSubject(method, userId, knownDevice) } as const;
}

function suspension(id: FactorId, userId: UserId): Change {
  const reason = 'too_many_failures';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}

/** Notifies a user of a refused second factor: the caller has already proven the password or the mailbox. */
export async function notifyRefusedFactor(
  gate: Gate,
  notify: Notify,
  tenant: Tenant,
  userId: UserId,
  { userAgent: device }: Device,
): Promise<void> {
  if (!tenant.sendsMail) return;
  const kind = 'notice.second_factor_refused';
  await gate
    .into(tenant.id)
    .transaction((tx) => notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 }));
}
