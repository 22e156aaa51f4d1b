import { type Fail, fail as failWith } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newUserId } from '../../../platform/crypto/ids.ts';
import type { Device, UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, offersUpstream } from '../../../tenancy/tenant.ts';
import { type Actor, type Notes, anonymous, joining, record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { MEMBER } from '../../identity/roles/index.ts';
import {
  captorOf,
  deleteIdentity,
  findCaptorsOf,
  holdsScopes,
  lockOneself,
  lockUnchangedUser,
  raiseAuthVersion,
  writeUser,
} from '../../identity/users/index.ts';
import {
  type DeviceTokens,
  type Flows,
  type Step,
  type StoredFlow,
  findNewName,
  startLinking,
  nameUser,
} from '../flows/index.ts';
import {
  type Provider,
  type UpstreamIdentity,
  findIdentities,
  findIdentity,
  findProvider,
  issuesIdTokens,
  keepUntilProven,
  linkIdentity,
  providerOf,
  takeHandoff,
} from '../identity-providers/index.ts';
import { type Shown, canLogIn, findUserLoginMethods } from '../proofs/index.ts';
import { countRegistration } from '../login/index.ts';
import { reclaim, release } from '../mailboxes/index.ts';
import { type AuthorizationRequests, handoffHash } from './authorization-requests.ts';
import {
  type AccountUser,
  type Plan,
  captureOf,
  linkingPageOf,
  planOf,
  shownOf,
} from './upstream-login-rules.ts';
import { findAddressUser, findLinked } from './linked-user-store.ts';

type RefuseFinish = Fail<
  | 'FLOW_ENDED'
  | 'STEP_NOT_NEEDED'
  | 'PROVIDER_REFUSED'
  | 'INVALID_CREDENTIALS'
  | 'IDENTIFIER_TAKEN'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
>;

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface StartOnPage {
  readonly flow: FlowRef;
  /** The ID of the provider. */
  readonly provider: string;
  /** The page of the service that the browser returns to. */
  readonly page: URL;
  /** The user must log in again at the provider. */
  readonly needsLogin: boolean;
}

interface PresentedHandoff {
  readonly handoff: string;
  readonly device: Device;
  /** The token of a known device; if undefined, the token of the request is used. */
  readonly deviceToken: string | undefined;
}

/** An identity that a provider has confirmed. */
interface Confirmed {
  readonly provider: Provider;
  readonly identity: UpstreamIdentity;
}

/** A plan that proves a user. */
type ProvingPlan = Extract<Plan, { readonly user: AccountUser } | { readonly use: 'register' }>;

interface PlanContext {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly flow: StoredFlow;
  readonly step: Step;
  /** The token of an invitation proves the address, and the invitation names the roles. */
  readonly isInvited: boolean;
}

/** The step of a flow that logs the user in at an identity provider. */
export class UpstreamLoginService {
  readonly #core: Core;
  readonly #requests: AuthorizationRequests;
  readonly #flows: Flows;
  readonly #deviceTokens: DeviceTokens;
  readonly #notes: Notes;
  readonly #notices: Notices;

  constructor(
    core: Core,
    requests: AuthorizationRequests,
    flows: Flows,
    deviceTokens: DeviceTokens,
    notes: Notes,
    notices: Notices,
  ) {
    this.#core = core;
    this.#requests = requests;
    this.#flows = flows;
    this.#deviceTokens = deviceTokens;
    this.#notes = notes;
    this.#notices = notices;
  }

  async start(
    tenant: Tenant,
    { id, token }: FlowRef,
    destination: { readonly provider: string; readonly returnUrl: string },
    fail: Fail<
      'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'NOT_FOUND' | 'RETURN_URL_UNKNOWN' | 'PROVIDER_REFUSED'
    >,
  ): Promise<{ flow: LoginFlow; authorize_url: string }> {
    const flow = await this.#flows.open(tenant, id, token, 'oauth', fail);
    const { id: owner, identifier, purpose } = flow;
    const login = { owner, identifier, needsLogin: purpose === 'step_up' };
    const url = await this.#requests.start(tenant, login, destination, fail);
    const presented = await this.#flows.present(tenant, flow);
    return { flow: presented, authorize_url: url ?? fail('FLOW_ENDED') };
  }

  /**
   * Starts a login at a provider from a page of the service. @returns the URL to redirect the browser to
   * @throws AppError NOT_FOUND, PROVIDER_REFUSED, FLOW_ENDED, STEP_NOT_NEEDED
   */
  async startOnPage(
    tenant: Tenant,
    { flow: { id, token }, provider, page, needsLogin }: StartOnPage,
  ): Promise<URL> {
    const flow = await this.#flows.open(tenant, id, token, 'oauth', failWith);
    const login = { owner: flow.id, identifier: flow.identifier, needsLogin };
    const destination = { provider, returnUrl: page.href, isHosted: true };
    const url = await this.#requests.start(tenant, login, destination, failWith);
    return new URL(url ?? failWith('FLOW_ENDED'));
  }

  /** Redeems the handoff of a login at a provider, and advances the flow. */
  async finish(
    tenant: Tenant,
    { id, token }: FlowRef,
    { handoff, device, deviceToken }: PresentedHandoff,
    fail: RefuseFinish,
  ): Promise<FlowAnswer> {
    const { gate, clock } = this.#core;
    const flow = await this.#flows.open(tenant, id, token, 'oauth', fail);
    const presentedToken = deviceToken ?? device.token;
    const knownDevice = this.#deviceTokens.read(tenant.id, presentedToken, clock.now());
    const step = { ...device, knownDevice };
    const hash = handoffHash(handoff);
    const found = await gate.into(tenant.id).transaction((tx) => findPlan(tx, tenant, flow, hash));
    const { plan, confirmed } = found ?? fail('PROVIDER_REFUSED');
    if ('reason' in plan) {
      this.#noteFailure(tenant, flow, step, plan.reason);
      return fail(plan.use === 'taken' ? 'IDENTIFIER_TAKEN' : 'INVALID_CREDENTIALS');
    }
    const isInvited = flow.purpose === 'invitation';
    if ((plan.use === 'register' || plan.use === 'release') && !isInvited) {
      const wait = await countRegistration({ gate, clock }, tenant, step.from, 'proven');
      if (wait) fail('TOO_MANY_ATTEMPTS', wait);
    }
    const effect = async (tx: TenantTx) => {
      if (!(await takeHandoff(tx, flow.id, hash))) fail('PROVIDER_REFUSED');
      if (plan.use === 'ask') {
        await keepUntilProven(tx, flow, plan.user.id);
        await startLinking(tx, flow, plan.email);
        return undefined;
      }
      const context = { tx, tenant, flow, step, isInvited };
      const shown = (await this.#carryOut(context, plan, confirmed)) ?? fail('FLOW_ENDED');
      await nameUser(tx, flow.id, shown.userId);
      const proof = { method: methodOf(confirmed), provider: confirmed.provider.id, ...shown };
      return { proofs: [proof] };
    };
    return this.#flows.commit(tenant, flow, { effect }, step, fail);
  }

  /**
   * Carries out a plan. Every change depends on the state that the plan was made from.
   * @returns undefined if it has changed
   */
  async #carryOut(
    { tx, tenant, flow, step: { from }, isInvited }: PlanContext,
    plan: ProvingPlan,
    { provider, identity }: Confirmed,
  ): Promise<Shown | undefined> {
    // The statement that opens the session checks the version again.
    if (plan.use === 'prove') return shownOf(plan.user);
    let userId = plan.use === 'register' ? undefined : plan.user.id;
    let by: Actor = anonymous(from);
    if (plan.use === 'link') {
      const isLocked = await lockUnchangedUser(tx, plan.user);
      if (!isLocked || (await holdsScopes(tx, plan.user.id, 'locked'))) return undefined;
    }
    if (plan.use === 'reclaim') {
      const reclaimed = await reclaim(tx, plan.user, plan.email, from);
      if (!reclaimed || reclaimed === 'reserved') return undefined;
      const kind = 'notice.account_reclaimed';
      await this.#notices.notify(tx, tenant, { userId: plan.user.id, kind, changed: plan.email });
    }
    if (plan.use === 'release') await release(tx, plan.user, plan.email, from);
    if (plan.use === 'release' || plan.use === 'register') {
      const roles = isInvited ? [] : [MEMBER];
      const id = newUserId(tx.now);
      const newName = isInvited ? await findNewName(tx, flow.id) : null;
      const newUser = { id, type: 'email', identifier: plan.email, name: newName, roles } as const;
      const verified = identity.is_authoritative || identity.is_proven || isInvited;
      if (isInvited) by = joining(id, from);
      userId = await writeUser(tx, by, { ...newUser, verified });
    }
    if (userId === undefined) return undefined;
    const { subject, source, name, picture } = identity;
    const context = { tx, tenant, notices: this.#notices, by };
    const link = { providerId: provider.id, subject, source, name, picture };
    const authVersion = await linkIdentity(context, userId, link);
    return authVersion === undefined ? undefined : { userId, authVersion };
  }

  #noteFailure(
    { id: tenantId }: Tenant,
    { id: flowId, user }: StoredFlow,
    step: Step,
    reason: string,
  ): void {
    this.#notes.note(tenantId, anonymous(step.from), {
      action: 'auth.login_failed',
      method: 'provider',
      device: step,
      target: { kind: user ? 'user' : 'identifier', id: user?.id ?? null },
      outcome: 'failure',
      details: { reason, identifier: null, flow_id: flowId },
    });
  }
}

function methodOf({ provider: { type, settings }, identity }: Confirmed) {
  // A profile is not signed and contains nothing about the login.
  const isTrusted = settings.trust_mfa && issuesIdTokens(type);
  return isTrusted && identity.has_mfa ? ('upstream_mfa' as const) : ('upstream' as const);
}

/** Finds the effect of the identity that a provider confirmed. @returns undefined if the handoff is invalid */
async function findPlan(tx: TenantTx, tenant: Tenant, flow: StoredFlow, hash: Buffer) {
  const stored = await findIdentity(tx, flow.id, hash);
  const row = stored && (await findProvider(tx, stored.providerId));
  if (!stored || !row?.is_active) return undefined;
  const provider = providerOf(row);
  const { identity } = stored;
  const linked = await findLinked(tx, provider.id, identity.subject);
  const { email } = identity;
  const addressUser =
    linked || email === null ? undefined : await findAddressUser(tx, email, provider.id);
  const user = linked ?? addressUser;
  const captors = [
    ...(user ? await findCaptorsOf(tx, tenant, user.id) : []),
    ...(linked || email === null ? [] : [captorOf(tenant, email) ?? []].flat()),
  ];
  const facts = { identity, link: provider.settings.link, linked, addressUser };
  const plan = planOf(tenant, flow, { ...facts, ...captureOf(captors, provider.id) });
  return { plan, confirmed: { provider, identity } };
}

/** The wait after too many logins: until the last one has expired. */
const WAIT_SECONDS = 600;

/** Links identities at providers to the accounts of users, and unlinks them. */
export class LinkedIdentityService {
  readonly #gate: Gate;
  readonly #requests: AuthorizationRequests;
  readonly #notices: Notices;

  constructor(gate: Gate, requests: AuthorizationRequests, notices: Notices) {
    this.#gate = gate;
    this.#requests = requests;
    this.#notices = notices;
  }

  list(tenant: Tenant, { subject }: UserCaller): Promise<IdentityRecord[]> {
    return this.#gate.into(tenant.id).transaction((tx) => findIdentities(tx, subject));
  }

  /** Starts a login at the provider. @returns the URL to redirect the browser to */
  async startLinking(
    tenant: Tenant,
    { subject: owner }: UserCaller,
    { provider, returnUrl }: { readonly provider: string; readonly returnUrl: string },
    fail: Fail<
      | 'METHOD_NOT_READY'
      | 'NOT_FOUND'
      | 'RETURN_URL_UNKNOWN'
      | 'PROVIDER_REFUSED'
      | 'TOO_MANY_ATTEMPTS'
    >,
  ): Promise<string> {
    if (!offersUpstream(tenant)) fail('METHOD_NOT_READY');
    const isHosted = returnUrl === linkingPageOf(tenant);
    const login = { owner, identifier: '', needsLogin: false };
    const url = await this.#requests.start(tenant, login, { provider, returnUrl, isHosted }, fail);
    return url ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: WAIT_SECONDS });
  }

  /** Links the identity from a provider to the user who started the login. */
  finishLinking(
    tenant: Tenant,
    caller: UserCaller,
    handoff: string,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'PROVIDER_REFUSED' | 'IDENTITY_TAKEN'>,
  ): Promise<IdentityRecord> {
    const { subject: userId } = caller;
    const hash = handoffHash(handoff);
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const { providerId, identity } =
        (await findIdentity(tx, userId, hash)) ?? fail('PROVIDER_REFUSED');
      if (!(await takeHandoff(tx, userId, hash))) fail('PROVIDER_REFUSED');
      const linked = await findLinked(tx, providerId, identity.subject);
      if (linked?.id !== userId) {
        const context = { tx, tenant, notices: this.#notices, by: caller };
        const { subject, source, name, picture } = identity;
        const link = { providerId, subject, source, name, picture };
        if (linked || !(await linkIdentity(context, userId, link))) fail('IDENTITY_TAKEN');
      }
      const identities = await findIdentities(tx, userId);
      const present = identities.find(({ provider_id: id }) => id === providerId);
      return present ?? fail('PROVIDER_REFUSED');
    });
  }

  async unlink(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_LOGIN_METHOD'>,
  ): Promise<IdentityProviderId> {
    const { subject: userId } = caller;
    const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const identities = await findIdentities(tx, userId);
      const present = identities.find((identity) => identity.provider_id === providerId);
      const { name } = present ?? fail('NOT_FOUND');
      await deleteIdentity(tx, userId, providerId);
      // Checks the login methods that remain after the deletion.
      if (!canLogIn(tenant, await findUserLoginMethods(tx, userId))) fail('LAST_LOGIN_METHOD');
      await raiseAuthVersion(tx, userId);
      await record(tx, caller, {
        action: 'identity.unlinked',
        target: { kind: 'user', id: userId },
        details: { provider_id: providerId },
        events: [{ type: 'identity.unlinked', data: { user_id: userId, provider_id: providerId } }],
      });
      await this.#notices.notify(tx, tenant, {
        userId,
        kind: 'notice.identity_unlinked',
        changed: name,
      });
    });
    return providerId;
  }
}
