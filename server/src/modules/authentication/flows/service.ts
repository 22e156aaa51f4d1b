import type { Fail } from '@keywright/contract/errors';
import { parseLoginFlowId, type WorkspaceId } from '@keywright/contract/ids';
import type {
  BegunFlow,
  FlowAnswer,
  FlowPurpose,
  FlowStep,
  LoginFlow,
} from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import { newLoginFlowId } from '../../../platform/crypto/ids.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { OpenSession } from '../../tokens/sessions/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { decide, type Permit, type Shown } from '../proofs/index.ts';
import type { DeviceTokens, KnownDevice } from './device-tokens.ts';
import type { MethodName } from './methods.ts';
import { presentFlow } from './present.ts';
import { expiryOf, flowOf, isOpen, MAX_OPEN, stepsOf } from './rules.ts';
import { flowTokenHash, newFlowToken } from './secret.ts';
import {
  appendProof,
  endFlow,
  findFlow,
  insertFlow,
  type StoredFlow,
  type StoredProof,
} from './store.ts';

/** What a step is made with. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
}

/** A proof, by the method that accepted it. */
interface ShownProof extends Shown {
  readonly method: MethodName;
}

interface NewFlowRequest {
  readonly purpose: FlowPurpose;
  /** Normalised. */
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** With which it begins. */
  readonly proof?: ShownProof;
}

/** What came of a proof. */
interface Step extends Device {
  /** What it was counted by, which is given back when the flow is complete. */
  readonly attempts?: readonly Attempt[];
  readonly knownDevice?: KnownDevice | undefined;
}

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly openSession: OpenSession;
  readonly deviceTokens: DeviceTokens;
}

/** Logins in steps. Every step of every method goes through it, and it through `decide`. */
export class Flows {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #openSession: OpenSession;
  readonly #deviceTokens: DeviceTokens;

  constructor({ gate, clock, openSession, deviceTokens }: Dependencies) {
    this.#gate = gate;
    this.#clock = clock;
    this.#openSession = openSession;
    this.#deviceTokens = deviceTokens;
  }

  async begin(tenant: Tenant, { proof, ...request }: NewFlowRequest): Promise<BegunFlow> {
    const token = newFlowToken();
    const now = this.#clock.now();
    const proofs = proof ? [storedProof(proof, now)] : [];
    const flow = { id: newLoginFlowId(now), expiresAt: expiryOf(now), ...request };
    const stored = { ...flow, tokenHash: flowTokenHash(token), proofs };
    await insertFlow(this.#gate.into(tenant.id), stored, MAX_OPEN, now);
    const found = proof && (await this.#find(tenant, flow.id, token));
    const needs = needsOf(tenant, { proofs, user: found?.user });
    return { flow: presentFlow(tenant.id, flow, 'needs', needs), flow_token: token };
  }

  /** The flow as it is, open or not. */
  async read(
    tenant: Tenant,
    id: string,
    token: string | undefined,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return presented(tenant, flow, this.#clock.now());
  }

  /** The flow for a step that it needs now. */
  async open(
    tenant: Tenant,
    id: string,
    token: string,
    step: FlowStep,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
  ): Promise<StoredFlow> {
    const flow = await this.#find(tenant, id, token);
    if (!flow || !isOpen(flow, this.#clock.now())) return fail('FLOW_ENDED');
    return needsOf(tenant, flow).includes(step) ? flow : fail('STEP_NOT_NEEDED');
  }

  /** Adds a proof: the flow is complete, or needs more. */
  async advance(
    tenant: Tenant,
    flow: StoredFlow,
    shown: ShownProof,
    step: Step,
    fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer> {
    const now = this.#clock.now();
    const proof = storedProof(shown, now);
    const next = decide(flowOf(tenant.id, [...flow.proofs, proof]), flow.user, tenant.config);
    if (next.status === 'ended') return fail('FLOW_ENDED');
    if (next.status === 'complete') return this.#complete(tenant, flow, next.permit, step, fail);
    if (!(await appendProof(this.#gate.into(tenant.id), flow, proof, now))) fail('FLOW_ENDED');
    const needs = stepsOf(next, flow.user, tenant.config);
    return { flow: presentFlow(tenant.id, flow, 'needs', needs) };
  }

  async cancel(
    tenant: Tenant,
    id: string,
    token: string,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    if (!isOpen(flow, now)) return presented(tenant, flow, now);
    await endFlow(this.#gate.into(tenant.id), flow.id, flowTokenHash(token), now);
    return this.read(tenant, id, token, fail);
  }

  async #find(
    tenant: Tenant,
    text: string,
    token: string | undefined,
  ): Promise<StoredFlow | undefined> {
    const id = parseLoginFlowId(text);
    if (id === undefined || token === undefined) return undefined;
    return findFlow(this.#gate.into(tenant.id), id, flowTokenHash(token));
  }

  /** The statement that opens the session checks the flow, the user and the tenant again. */
  async #complete(
    tenant: Tenant,
    { id, version, workspaceId, ...flow }: StoredFlow,
    permit: Permit,
    { attempts = [], knownDevice, ...device }: Step,
    fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer> {
    const request = { permit, workspaceId, attempts, ...device, flow: { id, version } };
    const answer = await this.#openSession(tenant, request);
    if (answer === 'workspace_unknown') return fail('NOT_FOUND');
    if (answer === 'refused') return fail('FLOW_ENDED');
    const now = this.#clock.now();
    return {
      ...answer,
      device_token: this.#deviceTokens.issue(tenant.id, permit, knownDevice, now),
      flow: presentFlow(tenant.id, { id, ...flow }, 'complete'),
    };
  }
}

function needsOf(tenant: Tenant, { proofs, user }: Pick<StoredFlow, 'proofs' | 'user'>) {
  return stepsOf(decide(flowOf(tenant.id, proofs), user, tenant.config), user, tenant.config);
}

function presented(tenant: Tenant, flow: StoredFlow, now: Date): LoginFlow {
  if (flow.isComplete) return presentFlow(tenant.id, flow, 'complete');
  if (!isOpen(flow, now)) return presentFlow(tenant.id, flow, 'ended');
  const needs = needsOf(tenant, flow);
  return presentFlow(tenant.id, flow, needs.length > 0 ? 'needs' : 'ended', needs);
}

function storedProof({ method, userId, authVersion }: ShownProof, at: Date): StoredProof {
  return { method, user_id: userId, auth_version: authVersion, at: at.toISOString() };
}
