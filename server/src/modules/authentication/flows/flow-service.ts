import type { Fail } from '@keywright/contract/errors';
import { type LoginFlowId, parseLoginFlowId } from '@keywright/contract/ids';
import type {
  StartedFlow,
  FlowAnswer,
  FlowStep,
  LoginFlow,
} from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findVerifiedIdentifiers } from '../../identity/users/index.ts';
import { maxFailuresOf, type Next } from '../proofs/index.ts';
import { applyEffect, type FlowCompletion, type FlowEffect, type Step } from './flow-completion.ts';
import {
  type Enrollment,
  decideFlow,
  decideFlowBy,
  findFlowPolicy,
  messageFactorsOf,
  presentFlow,
  stepsOf,
} from './flow-decision.ts';
import type { FlowInvitations } from './flow-invitations.ts';
import {
  type FlowChange,
  MAX_OPEN,
  MAX_PROOFS,
  type NewFlowRequest,
  type ShownProof,
  deviceIn,
  flowAfter,
  isOpen,
  newFlow,
  storedProof,
} from './flow-rules.ts';
import {
  FlowStatements,
  type GuessedFlow,
  type TakenPasskeyOfFlow,
  type UsedPasskey,
  type VerifiedPasskey,
} from './flow-steps-store.ts';
import {
  appendProof,
  endFlow,
  findPage,
  type FlowRef,
  insertFlow,
  loadFlows,
  redeemChallenge,
  savePage,
  type StoredFlow,
} from './flow-store.ts';
import { type DeviceTokens, flowSecretOf, flowTokenHash, newFlowToken } from './known-devices.ts';

/** A step that has proven something. */
interface ProvenStep {
  readonly proof: ShownProof;
  /** The challenge of the flow's message, which is used up with the proof. */
  readonly challenge?: string;
}

/** A step that changes the account, in the transaction that stores its proofs. */
interface ChangingStep extends FlowEffect {
  /**
   * The expected change, unless something else changes. If it completes the flow, the transaction also opens the
   * session.
   */
  readonly expected?: FlowChange;
}

const LOAD_BATCH = { size: 32, flights: 1 };

type RefuseStep = Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>;
type RefuseCommit = Fail<'FLOW_ENDED' | 'NOT_FOUND'>;

/** Runs logins in steps. Commits each step of each method here, as decided by `decide`. */
export class Flows {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #deviceTokens: DeviceTokens;
  readonly #invitations: FlowInvitations;
  readonly #completion: FlowCompletion;
  readonly #statements: FlowStatements;
  readonly #loadFlow;

  constructor(
    { gate, clock }: Core,
    deviceTokens: DeviceTokens,
    invitations: FlowInvitations,
    completion: FlowCompletion,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#deviceTokens = deviceTokens;
    this.#invitations = invitations;
    this.#completion = completion;
    this.#statements = new FlowStatements(gate);
    this.#loadFlow = batched((refs: readonly FlowRef[]) => loadFlows(gate, refs), LOAD_BATCH);
  }

  async start(tenant: Tenant, { sealedDevice, ...request }: NewFlowRequest): Promise<StartedFlow> {
    const now = this.#clock.now();
    const token = newFlowToken(sealedDevice);
    const stored = newFlow(request, token, now);
    await insertFlow(this.#gate.into(tenant.id), stored, MAX_OPEN, now);
    // The steps of a flow that starts with a proof depend on its user.
    const dependsOnUser = request.proof !== undefined || request.invitation !== undefined;
    const found = dependsOnUser ? await this.#find(tenant, stored.id, token) : undefined;
    const isSent = stored.continues !== undefined;
    const state = { ...stored, isSent, user: found?.user };
    const needs = stepsOf(await decideFlow(this.#gate, tenant, state), state, tenant);
    return { flow: presentFlow(tenant.id, stored, 'needs', needs), flow_token: token };
  }

  /** The flow, open or not. */
  async read(
    tenant: Tenant,
    id: string,
    token: string | undefined,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.present(tenant, flow);
  }

  async present(tenant: Tenant, flow: StoredFlow): Promise<LoginFlow> {
    if (flow.sessionId) return presentFlow(tenant.id, flow, 'complete');
    if (!isOpen(flow, this.#clock.now())) return presentFlow(tenant.id, flow, 'ended');
    const needs = stepsOf(await decideFlow(this.#gate, tenant, flow), flow, tenant);
    return presentFlow(tenant.id, flow, needs.length > 0 ? 'needs' : 'ended', needs);
  }

  /** Loads the flow for a step that it currently needs. */
  async open(
    tenant: Tenant,
    id: string,
    token: string,
    step: FlowStep,
    fail: RefuseStep,
    method?: Enrollment,
  ): Promise<StoredFlow> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.#requireStep(tenant, flow, step, fail, method);
  }

  /** Loads the flow for the code of its message, and takes one guess. */
  async guess(tenant: Tenant, id: string, token: string, fail: RefuseStep): Promise<GuessedFlow> {
    const ref = this.#refOf(tenant, id, token) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    const found = (await this.#statements.guess({ ...ref, now })) ?? fail('FLOW_ENDED');
    const flow = await this.#withInvitation(tenant, found.flow);
    return { ...found, flow: await this.#requireStep(tenant, flow, 'code', fail) };
  }

  /** Loads the flow for a passkey, and stores the challenge that it must sign. */
  async startPasskey(
    tenant: Tenant,
    id: string,
    token: string,
    { hash: challengeHash, expiresAt }: { readonly hash: Buffer; readonly expiresAt: Date },
    fail: RefuseStep,
  ): Promise<StoredFlow> {
    const ref = this.#refOf(tenant, id, token) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    const challenge = { ...ref, challengeHash, expiresAt, now };
    const found = (await this.#statements.startPasskey(challenge)) ?? fail('FLOW_ENDED');
    const flow = await this.#requirePasskeyStep(tenant, found.flow, fail);
    return found.isStarted ? flow : fail('FLOW_ENDED');
  }

  /** Loads the flow for a passkey, and uses up its challenge. */
  async takePasskey(
    tenant: Tenant,
    id: string,
    token: string,
    presented: { readonly challengeHash: Buffer; readonly credential: Buffer },
    fail: RefuseStep,
  ): Promise<TakenPasskeyOfFlow> {
    const ref = this.#refOf(tenant, id, token) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    const found =
      (await this.#statements.takePasskey({ ...ref, ...presented, now })) ?? fail('FLOW_ENDED');
    return { ...found, flow: await this.#requirePasskeyStep(tenant, found.flow, fail) };
  }

  /** Accepts a passkey whose signature was verified. */
  async usePasskey(
    tenant: Tenant,
    { id, secret }: StoredFlow,
    passkey: VerifiedPasskey,
  ): Promise<UsedPasskey | undefined> {
    const ref = { tenantId: tenant.id, id, secret };
    const now = this.#clock.now();
    const used = await this.#statements.usePasskey({ ...ref, ...passkey, now });
    return used && { ...used, flow: await this.#withInvitation(tenant, used.flow) };
  }

  /** Commits a step: the flow is then complete, or needs more steps. */
  async commit(
    tenant: Tenant,
    flow: StoredFlow,
    commit: ProvenStep | ChangingStep,
    presented: Step,
    fail: RefuseCommit,
  ): Promise<FlowAnswer> {
    if (flow.proofs.length >= MAX_PROOFS) fail('FLOW_ENDED');
    // A step without a device token comes from the device that started the flow.
    const step = { ...presented, knownDevice: presented.knownDevice ?? flow.secret.device };
    return 'proof' in commit
      ? this.#commitProof(tenant, flow, commit, step, fail)
      : this.#commitChange(tenant, flow, commit, step, fail);
  }

  async #commitProof(
    tenant: Tenant,
    flow: StoredFlow,
    { proof: shown, challenge }: ProvenStep,
    step: Step,
    fail: RefuseCommit,
  ): Promise<FlowAnswer> {
    const now = this.#clock.now();
    const data = this.#gate.into(tenant.id);
    const { knownDevice } = step;
    const attempts = challenge === undefined ? step.attempts : undefined;
    const proof = storedProof({ ...shown, knownDevice, attempts }, now);
    const isSent = challenge === undefined && flow.isSent;
    const proven = { ...flow, proofs: [...flow.proofs, proof], isSent };
    const next = await decideFlow(this.#gate, tenant, proven);
    // The statement that opens the session also uses up the challenge, but a step-up does not.
    const isStored =
      next.status !== 'complete' ||
      flow.purpose === 'linking' ||
      (challenge !== undefined && flow.stepsUp !== undefined);
    if (!isStored) {
      return this.#completion.complete(tenant, flow, next.permit, step, challenge, fail);
    }
    if (challenge === undefined) {
      if (next.status === 'ended') return fail('FLOW_ENDED');
      if (!(await appendProof(data, flow, proof, now))) return fail('FLOW_ENDED');
    } else if (!(await redeemChallenge(data, flow, challenge, proof, now))) {
      return fail('FLOW_ENDED');
    }
    const stored = { ...proven, version: flow.version + 1 };
    return this.#proceed(tenant, stored, next, step, fail);
  }

  async #commitChange(
    tenant: Tenant,
    flow: StoredFlow,
    change: ChangingStep,
    step: Step,
    fail: RefuseCommit,
  ): Promise<FlowAnswer> {
    if (change.expected) {
      const expected = flowAfter(flow, change.expected, step.knownDevice, this.#clock.now());
      const policy = await findFlowPolicy(this.#gate, tenant, expected);
      if (decideFlowBy(tenant, expected, policy).status === 'complete') {
        return this.#completion.completeWithin(tenant, flow, change, policy, step, fail);
      }
    }
    const data = this.#gate.into(tenant.id);
    await this.#invitations.accepting(
      tenant,
      flow,
      step.from,
      (acceptance) =>
        data.transaction((tx) => applyEffect(tx, flow, change, acceptance, step.knownDevice, fail)),
      fail,
    );
    const after = (await this.#load(tenant, flow)) ?? fail('FLOW_ENDED');
    return this.#proceed(tenant, after, await decideFlow(this.#gate, tenant, after), step, fail);
  }

  /** Completes a flow with its stored proofs, or presents its next steps. */
  async #proceed(
    tenant: Tenant,
    flow: StoredFlow,
    next: Next,
    step: Step,
    fail: RefuseCommit,
  ): Promise<FlowAnswer> {
    if (next.status === 'ended') return fail('FLOW_ENDED');
    if (next.status === 'needs') {
      return { flow: presentFlow(tenant.id, flow, 'needs', stepsOf(next, flow, tenant)) };
    }
    if (flow.purpose !== 'linking') {
      return this.#completion.complete(tenant, flow, next.permit, step, undefined, fail);
    }
    const policy = await findFlowPolicy(this.#gate, tenant, flow);
    const user = flow.user ?? fail('FLOW_ENDED');
    const unchanged = { effect: async () => ({ user, proofs: [] }) };
    return this.#completion.completeWithin(tenant, flow, unchanged, policy, step, fail);
  }

  /** Returns the tokens of a recently completed flow, for a client that lost the response. */
  async repeatTokens(
    tenant: Tenant,
    id: string,
    token: string,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<FlowAnswer> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.#completion.repeat(tenant, flow, fail);
  }

  async cancel(
    tenant: Tenant,
    id: string,
    token: string,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#find(tenant, id, token)) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    if (!isOpen(flow, now)) return this.present(tenant, flow);
    await endFlow(this.#gate.into(tenant.id), flow.id, flowTokenHash(token), now);
    return this.read(tenant, id, token, fail);
  }

  /** Stores the request that a page was handling, for the browser that opens the link of the flow's message. */
  async savePage(
    { id: tenantId }: Tenant,
    { id, token }: { readonly id: string; readonly token: string },
    page: string,
  ): Promise<void> {
    const flow = parseLoginFlowId(id);
    if (!flow) return;
    await this.#gate.into(tenantId).transaction((tx) => savePage(tx, { id: flow, token }, page));
  }

  findPage({ id: tenantId }: Tenant, flow: LoginFlowId): Promise<string | undefined> {
    return this.#gate.into(tenantId).transaction((tx) => findPage(tx, flow));
  }

  async #find(
    tenant: Tenant,
    id: string,
    token: string | undefined,
  ): Promise<StoredFlow | undefined> {
    const ref = this.#refOf(tenant, id, token);
    return ref && this.#load(tenant, ref);
  }

  async #load(
    tenant: Tenant,
    { id, secret }: Pick<FlowRef, 'id' | 'secret'>,
  ): Promise<StoredFlow | undefined> {
    const flow = await this.#loadFlow({ tenantId: tenant.id, id, secret });
    return flow && this.#withInvitation(tenant, flow);
  }

  /** Adds its invitation to a loaded flow. Other flows cost no statement. */
  #withInvitation(tenant: Tenant, flow: StoredFlow): Promise<StoredFlow> | StoredFlow {
    // A flow that links an identity can also have started with an invitation.
    const mayHaveInvitation = flow.purpose === 'invitation' || flow.purpose === 'linking';
    return mayHaveInvitation ? this.#invitations.addTo(tenant, flow) : flow;
  }

  #refOf({ id: tenantId }: Tenant, text: string, token: string | undefined): FlowRef | undefined {
    const id = parseLoginFlowId(text);
    if (id === undefined || token === undefined) return undefined;
    return { tenantId, id, secret: flowSecretOf(this.#deviceTokens, tenantId, token) };
  }

  async #requirePasskeyStep(
    tenant: Tenant,
    found: StoredFlow,
    fail: RefuseStep,
  ): Promise<StoredFlow> {
    const flow = await this.#withInvitation(tenant, found);
    return this.#requireStep(tenant, flow, 'passkey', fail);
  }

  async #requireStep(
    tenant: Tenant,
    flow: StoredFlow,
    step: FlowStep,
    fail: RefuseStep,
    method?: Enrollment,
  ): Promise<StoredFlow> {
    if (!isOpen(flow, this.#clock.now())) fail('FLOW_ENDED');
    const next = await decideFlow(this.#gate, tenant, flow);
    const needs = stepsOf(next, flow, tenant);
    const need = needs.find((candidate) => candidate.step === step) ?? fail('STEP_NOT_NEEDED');
    if (method && need.methods?.includes(method) !== true) fail('STEP_NOT_NEEDED');
    if (next.status !== 'needs' || next.step !== 'message_factor' || !flow.user) return flow;
    const verified = await findVerifiedIdentifiers(this.#gate.into(tenant.id), flow.user.id);
    const factors = await messageFactorsOf(tenant, verified, maxFailuresOf(deviceIn(flow)));
    return { ...flow, messageFactor: factors.find(({ channel }) => channel === next.channel) };
  }
}
