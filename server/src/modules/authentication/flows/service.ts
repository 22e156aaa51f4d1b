import { type LoginFlowId, parseLoginFlowId } from '@keywright/contract/ids';
import type { Fail } from '@keywright/contract/errors';
import type {
  BegunFlow,
  FlowAnswer,
  FlowNeed,
  LoginFlow,
} from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { beginFlow } from './begin.ts';
import { Completion } from './completion.ts';
import { type CompletionDependencies, type Step, stepIn } from './step.ts';
import { FlowChanges } from './changes.ts';
import { FlowFinder } from './finder.ts';
import type { GuessedFlow } from './guess-store.ts';
import { createNextOf, type NextDependencies, type NextOf } from './next.ts';
import { findPage, keepPage } from './page-store.ts';
import { presentFlow } from './present.ts';
import type { NewFlowRequest } from './request.ts';
import { type FlowState, isOpen, type ShownProof, stepsOf, storedProof } from './rules.ts';
import { flowTokenHash } from './secret.ts';
import { appendProof, endFlow, redeemChallenge, type StoredFlow } from './store.ts';

interface Dependencies extends NextDependencies, CompletionDependencies {}

/** Logins in steps. Every step of every method goes through it, and it through `decide`. */
export class Flows {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #finder: FlowFinder;
  readonly #nextOf: NextOf;
  readonly #completion: Completion;
  readonly #changes: FlowChanges;

  constructor(dependencies: Dependencies) {
    this.#gate = dependencies.gate;
    this.#clock = dependencies.clock;
    this.#nextOf = createNextOf(dependencies);
    this.#finder = new FlowFinder(dependencies, this.#nextOf);
    this.#completion = new Completion(dependencies);
    const parts = { finder: this.#finder, nextOf: this.#nextOf, completion: this.#completion };
    this.#changes = new FlowChanges({ ...dependencies, ...parts });
  }

  async begin(tenant: Tenant, request: NewFlowRequest): Promise<BegunFlow> {
    const data = this.#gate.into(tenant.id);
    const { stored, token, isShown } = await beginFlow(data, request, this.#clock.now());
    const found = isShown ? await this.#finder.find(tenant, stored.id, token) : undefined;
    const isSent = stored.continues !== undefined;
    const needs = await this.#needsOf(tenant, { ...stored, isSent, user: found?.user });
    return { flow: presentFlow(tenant.id, stored, 'needs', needs), flow_token: token };
  }

  /** The flow as it is, open or not. */
  async read(
    tenant: Tenant,
    id: string,
    token: string | undefined,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#finder.find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.#presented(tenant, flow, this.#clock.now());
  }

  /** The flow for a step that it needs now. */
  open(...given: Parameters<FlowFinder['open']>): Promise<StoredFlow> {
    return this.#finder.open(...given);
  }

  /** The same for the code of its message, with one guess taken. */
  guess(...given: Parameters<FlowFinder['guess']>): Promise<GuessedFlow> {
    return this.#finder.guess(...given);
  }

  /** Keeps the request that a page was at, for whoever opens the link of the flow's message. */
  async keepPage(
    { id: tenantId }: Tenant,
    { id, token }: { readonly id: string; readonly token: string },
    page: string,
  ): Promise<void> {
    const flow = parseLoginFlowId(id);
    if (!flow) return;
    await this.#gate.into(tenantId).transaction((tx) => keepPage(tx, { id: flow, token }, page));
  }

  findPage({ id: tenantId }: Tenant, flow: LoginFlowId): Promise<string | undefined> {
    return this.#gate.into(tenantId).transaction((tx) => findPage(tx, flow));
  }

  /** The same for a passkey. */
  beginPasskey(...given: Parameters<FlowFinder['beginPasskey']>): Promise<StoredFlow> {
    return this.#finder.beginPasskey(...given);
  }

  takePasskey(
    ...given: Parameters<FlowFinder['takePasskey']>
  ): ReturnType<FlowFinder['takePasskey']> {
    return this.#finder.takePasskey(...given);
  }

  usePasskey(...given: Parameters<FlowFinder['usePasskey']>): ReturnType<FlowFinder['usePasskey']> {
    return this.#finder.usePasskey(...given);
  }

  /** An open flow as it is shown. */
  present(tenant: Tenant, flow: StoredFlow): Promise<LoginFlow> {
    return this.#presented(tenant, flow, this.#clock.now());
  }

  /** As it is after a change. */
  reload(...given: Parameters<FlowFinder['reload']>): ReturnType<FlowFinder['reload']> {
    return this.#finder.reload(...given);
  }

  /** Adds a proof: the flow is complete, or needs more. */
  async advance(
    tenant: Tenant,
    flow: StoredFlow,
    shown: ShownProof,
    given: Step,
    fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer> {
    const step = stepIn(flow, given);
    const now = this.#clock.now();
    const proof = storedProof(
      { ...shown, knownDevice: step.knownDevice, attempts: step.attempts },
      now,
    );
    const proven = { ...flow, proofs: [...flow.proofs, proof] };
    const next = await this.#nextOf(tenant, proven);
    if (next.status === 'ended') return fail('FLOW_ENDED');
    if (next.status === 'complete' && flow.purpose !== 'linking')
      return this.#completion.complete(tenant, flow, next.permit, step, fail);
    if (!(await appendProof(this.#gate.into(tenant.id), flow, proof, now))) fail('FLOW_ENDED');
    const stored = { ...proven, version: flow.version + 1 };
    return this.#completion.follow(tenant, stored, next, step, fail);
  }

  /** Uses a challenge of the flow: with the statement that stores its proof, or that opens the session. */
  async redeem(
    tenant: Tenant,
    flow: StoredFlow,
    challenge: string,
    shown: ShownProof,
    given: Step,
    fail: Fail<'FLOW_ENDED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer> {
    const step = stepIn(flow, given);
    const now = this.#clock.now();
    const proof = storedProof({ ...shown, knownDevice: step.knownDevice }, now);
    const proven = { ...flow, proofs: [...flow.proofs, proof], isSent: false };
    const next = await this.#nextOf(tenant, proven);
    if (next.status === 'complete' && !flow.stepsUp && flow.purpose !== 'linking') {
      return this.#completion.complete(tenant, flow, next.permit, { ...step, challenge }, fail);
    }
    const data = this.#gate.into(tenant.id);
    if (!(await redeemChallenge(data, flow, challenge, proof, now))) return fail('FLOW_ENDED');
    const stored = { ...proven, version: flow.version + 1 };
    return this.#completion.follow(tenant, stored, next, step, fail);
  }

  /** The same, with a change of the account that the proof is about. */
  redeemWith(...given: Parameters<FlowChanges['redeemWith']>): Promise<FlowAnswer> {
    return this.#changes.redeemWith(...given);
  }

  /** Adds a proof that a change leads to, in one transaction. */
  proveWithin(...given: Parameters<FlowChanges['proveWithin']>): Promise<FlowAnswer> {
    return this.#changes.proveWithin(...given);
  }

  /** Completes a flow in which its user adds a second factor. */
  enrol(...given: Parameters<Completion['enrol']>): Promise<FlowAnswer> {
    return this.#completion.enrol(...given);
  }

  /** The account of whoever was invited is made, or passes to them, with its first credential. */
  async join(...given: Parameters<Completion['join']>): Promise<FlowAnswer> {
    const [tenant, flow, , device, fail] = given;
    const done = await this.#completion.join(...given);
    if (done) return done;
    const joined = (await this.#finder.reload(tenant, flow)) ?? fail('FLOW_ENDED');
    const next = await this.#nextOf(tenant, joined);
    return this.#completion.follow(tenant, joined, next, device, fail);
  }

  /** The tokens of a flow that has just completed, for a client that lost the answer. */
  async tokens(
    tenant: Tenant,
    id: string,
    token: string,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<FlowAnswer> {
    const flow = (await this.#finder.find(tenant, id, token)) ?? fail('FLOW_ENDED');
    return this.#completion.repeat(tenant, flow, fail);
  }

  async cancel(
    tenant: Tenant,
    id: string,
    token: string,
    fail: Fail<'FLOW_ENDED'>,
  ): Promise<LoginFlow> {
    const flow = (await this.#finder.find(tenant, id, token)) ?? fail('FLOW_ENDED');
    const now = this.#clock.now();
    if (!isOpen(flow, now)) return this.#presented(tenant, flow, now);
    await endFlow(this.#gate.into(tenant.id), flow.id, flowTokenHash(token), now);
    return this.read(tenant, id, token, fail);
  }

  /** Changes the account of the user. */
  change(...given: Parameters<FlowChanges['change']>): Promise<FlowAnswer> {
    return this.#changes.change(...given);
  }

  async #needsOf(tenant: Tenant, flow: FlowState): Promise<FlowNeed[]> {
    return stepsOf(await this.#nextOf(tenant, flow), flow, tenant);
  }

  async #presented(tenant: Tenant, flow: StoredFlow, now: Date): Promise<LoginFlow> {
    if (flow.sessionId) return presentFlow(tenant.id, flow, 'complete');
    if (!isOpen(flow, now)) return presentFlow(tenant.id, flow, 'ended');
    const needs = await this.#needsOf(tenant, flow);
    return presentFlow(tenant.id, flow, needs.length > 0 ? 'needs' : 'ended', needs);
  }
}
