import type { Fail } from '@keywright/contract/errors';
import { parseLoginFlowId } from '@keywright/contract/ids';
import type { FlowStep } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { createGuessCode, type GuessCode, type GuessedFlow } from './guess-store.ts';
import { createLoadFlow, type FlowRef, type LoadFlow } from './load-store.ts';
import { maxFailuresOf } from '../proofs/index.ts';
import { factorsOf } from './message-factors.ts';
import { findVerified } from './message-factors-store.ts';
import type { NextOf } from './next.ts';
import { withInvitation } from './invited.ts';
import { deviceIn, type Enrolment, isOpen, stepsOf } from './rules.ts';
import { flowSecretOf } from './secret.ts';
import { createFlowPasskeys, type FlowPasskeys } from './passkey-store.ts';
import type { StoredFlow } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly deviceTokens: DeviceTokens;
}

type Refuse = Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>;

/** Finds the flows of requests, by their id and their secret. */
export class FlowFinder {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #deviceTokens: DeviceTokens;
  readonly #load: LoadFlow;
  readonly #guess: GuessCode;
  readonly #passkeys: FlowPasskeys;
  readonly #nextOf: NextOf;

  constructor({ gate, clock, deviceTokens }: Dependencies, nextOf: NextOf) {
    this.#gate = gate;
    this.#clock = clock;
    this.#deviceTokens = deviceTokens;
    this.#load = createLoadFlow(gate);
    this.#guess = createGuessCode(gate);
    this.#passkeys = createFlowPasskeys(gate);
    this.#nextOf = nextOf;
  }

  /** Open or not. */
  async find(
    tenant: Tenant,
    id: string,
    token: string | undefined,
  ): Promise<StoredFlow | undefined> {
    const ref = refOf(this.#deviceTokens, tenant, id, token);
    const flow = ref && (await this.#load(ref));
    return flow && withInvitation(this.#gate, tenant, flow);
  }

  /** As it is after a step. */
  async reload(tenant: Tenant, { id, secret }: StoredFlow): Promise<StoredFlow | undefined> {
    const flow = await this.#load({ tenantId: tenant.id, id, secret });
    return flow && withInvitation(this.#gate, tenant, flow);
  }

  async open(
    tenant: Tenant,
    id: string,
    token: string,
    step: FlowStep,
    fail: Refuse,
    method?: Enrolment,
  ): Promise<StoredFlow> {
    const flow = (await this.find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.#withStep(tenant, flow, step, fail, method);
  }

  async guess(tenant: Tenant, id: string, token: string, fail: Refuse): Promise<GuessedFlow> {
    const ref = refOf(this.#deviceTokens, tenant, id, token) ?? fail('FLOW_ENDED');
    const found = (await this.#guess({ ...ref, now: this.#clock.now() })) ?? fail('FLOW_ENDED');
    const flow = await withInvitation(this.#gate, tenant, found.flow);
    return { ...found, flow: await this.#withStep(tenant, flow, 'code', fail) };
  }

  /** The flow for a passkey, with the challenge that it has to sign. */
  async beginPasskey(
    tenant: Tenant,
    id: string,
    token: string,
    challenge: { readonly hash: Buffer; readonly expiresAt: Date },
    fail: Refuse,
  ): Promise<StoredFlow> {
    const ref = refOf(this.#deviceTokens, tenant, id, token) ?? fail('FLOW_ENDED');
    const { hash: challengeHash, expiresAt } = challenge;
    const now = this.#clock.now();
    const begun = await this.#passkeys.begin({ ...ref, challengeHash, expiresAt, now });
    const found = begun ?? fail('FLOW_ENDED');
    const flow = await this.#passkeyStep(tenant, found.flow, fail);
    return found.isBegun ? flow : fail('FLOW_ENDED');
  }

  /** The flow for a passkey, whose challenge was used up. */
  async takePasskey(
    tenant: Tenant,
    id: string,
    token: string,
    presented: { readonly challengeHash: Buffer; readonly credential: Buffer },
    fail: Refuse,
  ): Promise<NonNullable<Awaited<ReturnType<FlowPasskeys['take']>>>> {
    const ref = refOf(this.#deviceTokens, tenant, id, token) ?? fail('FLOW_ENDED');
    const taken = await this.#passkeys.take({ ...ref, ...presented, now: this.#clock.now() });
    const found = taken ?? fail('FLOW_ENDED');
    return { ...found, flow: await this.#passkeyStep(tenant, found.flow, fail) };
  }

  async usePasskey(
    tenant: Tenant,
    { id, secret }: StoredFlow,
    passkey: Omit<Parameters<FlowPasskeys['use']>[0], 'tenantId' | 'id' | 'secret' | 'now'>,
  ): ReturnType<FlowPasskeys['use']> {
    const ref = { tenantId: tenant.id, id, secret };
    const used = await this.#passkeys.use({ ...ref, ...passkey, now: this.#clock.now() });
    return used && { ...used, flow: await withInvitation(this.#gate, tenant, used.flow) };
  }

  async #passkeyStep(tenant: Tenant, found: StoredFlow, fail: Refuse): Promise<StoredFlow> {
    const flow = await withInvitation(this.#gate, tenant, found);
    return this.#withStep(tenant, flow, 'passkey', fail);
  }

  /** A flow that needs this step now. */
  async #withStep(
    tenant: Tenant,
    flow: StoredFlow,
    step: FlowStep,
    fail: Refuse,
    method?: Enrolment,
  ): Promise<StoredFlow> {
    if (!isOpen(flow, this.#clock.now())) fail('FLOW_ENDED');
    const next = await this.#nextOf(tenant, flow);
    const needs = stepsOf(next, flow, tenant);
    const need = needs.find((one) => one.step === step) ?? fail('STEP_NOT_NEEDED');
    if (method && need.methods?.includes(method) !== true) fail('STEP_NOT_NEEDED');
    if (next.status !== 'needs' || next.step !== 'message_factor' || !flow.user) return flow;
    const verified = await findVerified(this.#gate.into(tenant.id), flow.user.id);
    const maxFailures = maxFailuresOf(deviceIn(flow));
    const factors = await factorsOf(tenant, verified, maxFailures);
    return { ...flow, messageFactor: factors.find(({ channel }) => channel === next.channel) };
  }
}

function refOf(
  deviceTokens: DeviceTokens,
  { id: tenantId }: Tenant,
  text: string,
  token?: string,
): FlowRef | undefined {
  const id = parseLoginFlowId(text);
  if (id === undefined || token === undefined) return undefined;
  return { tenantId, id, secret: flowSecretOf(deviceTokens, tenantId, token) };
}
