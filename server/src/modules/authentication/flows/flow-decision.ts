import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { FlowNeed, FlowStep, LoginFlow } from '@keywright/contract/records/login-flow';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import {
  type Tenant,
  channelOf,
  channelsOf,
  isDeliverable,
  offersPasskeys,
  offersUpstream,
  relyingPartyOf,
} from '../../../tenancy/tenant.ts';
import { receivesSms } from '../../events/messages/index.ts';
import {
  type VerifiedIdentifier,
  captorOf,
  carryScopes,
  findCaptors,
  findVerifiedIdentifiers,
  holdsScopes,
  requiresSecondFactor,
} from '../../identity/users/index.ts';
import { METHODS, type Next, type Policy, type UserState, decide } from '../proofs/index.ts';
import { flowOf } from './flow-rules.ts';
import type { FlowUser, MessageFactor, StoredFlow } from './flow-store.ts';

/** The policy for the user of a flow. */
export interface FlowPolicy extends Policy, Pick<UserState, 'hasMailbox' | 'factorChannels'> {}

/** Decides on a flow. */
export async function decideFlow(gate: Gate, tenant: Tenant, state: FlowState): Promise<Next> {
  return decideFlowBy(tenant, state, await findFlowPolicy(gate, tenant, state));
}

/** Decides on a flow by a given policy, without lookups, so that a transaction can call it. */
export function decideFlowBy(
  { id }: Tenant,
  state: FlowState,
  { hasMailbox, factorChannels, ...policy }: FlowPolicy,
): Next {
  const { user } = state;
  const hasVerifiedIdentifier = user !== undefined && (user.isVerified || user.hasOthers);
  const userState = user && { ...user, hasVerifiedIdentifier, hasMailbox, factorChannels };
  const isWaiting =
    state.purpose === 'linking' &&
    !state.proofs.some(({ method }) => METHODS[method].kind === 'federated');
  // The identity waits for a proof of the account. Once linked, it counts if it belongs to the required provider.
  const applied = isWaiting ? { ...policy, requiredProviders: [] } : policy;
  return decide(flowOf(id, state), userState, applied);
}

/**
 * Finds the policy for the user of a flow. Looks up the user only after the first proof: until then, all identifiers
 * cost the same.
 */
export async function findFlowPolicy(
  gate: Gate,
  tenant: Tenant,
  { identifier, proofs, acr, user, invitation }: FlowState,
): Promise<FlowPolicy> {
  const { id, config } = tenant;
  const data = gate.into(id);
  const isTrusted = proofs.some(({ method }) => method === 'upstream_mfa');
  const policy = {
    allowed_login_methods: config.allowed_login_methods,
    mfa_methods: config.mfa_methods,
    requiresEnrolledFactor:
      isTrusted &&
      user?.hasSecondFactor === true &&
      (await willHoldScopes(data, user.id, invitation)),
    requiresVerifiedIdentifier: config.require_verified_identifier,
    requiredProviders: [
      ...[captorOf(tenant, identifier) ?? []].flat(),
      ...(user && proofs.length > 0 ? await findCaptors(data, tenant, user.id) : []),
    ],
  };
  if (!user || user.hasSecondFactor || proofs.length === 0) {
    const notLookedUp = { hasMailbox: true, factorChannels: [] };
    return { ...policy, ...notLookedUp, requiresSecondFactor: config.require_mfa };
  }
  const requires = await requiresSecondFactor(data, config, user.id, invitation?.roles);
  const needsMore = requires || acr !== undefined;
  const verified = needsMore ? await findVerifiedIdentifiers(data, user.id) : [];
  // Suspended factors are included, because nothing weaker replaces a factor.
  const factors = await messageFactorsOf(tenant, verified, 0);
  return {
    ...policy,
    requiresSecondFactor: requires,
    hasMailbox: await isReachable(tenant, verified),
    factorChannels: factors.map(({ channel }) => channel),
  };
}

/** Whether a user holds scopes, or will hold them by accepting the invitation. */
function willHoldScopes(
  data: TenantData,
  userId: UserId,
  invitation: FlowState['invitation'],
): Promise<boolean> {
  const gained = invitation?.roles ?? [];
  return data.transaction(
    async (tx) => (await holdsScopes(tx, userId)) || (await carryScopes(tx, gained)),
  );
}

/**
 * Returns the codes that are a second factor of a user with these identifiers: at most one per channel, SMS first.
 * @param maxFailures consecutive wrong codes that suspend an identifier
 */
export async function messageFactorsOf(
  tenant: Tenant,
  verified: readonly VerifiedIdentifier[],
  maxFailures: number,
): Promise<readonly MessageFactor[]> {
  const factors: MessageFactor[] = [];
  for (const channel of ['sms', 'email'] as const) {
    if (!tenant.config.mfa_methods.includes(channel)) continue;
    const ofChannel = verified.filter(({ identifier }) => channelOf(identifier) === channel);
    const reachable: VerifiedIdentifier[] = [];
    for (const identifier of ofChannel)
      if (await receives(tenant, identifier)) reachable.push(identifier);
    const usable = reachable.find(({ failures }) => failures < maxFailures);
    if (reachable.length > 0) factors.push({ channel, destination: usable?.identifier });
  }
  return factors;
}

/** Whether messages can be sent to one of the identifiers. */
async function isReachable(
  tenant: Tenant,
  identifiers: readonly VerifiedIdentifier[],
): Promise<boolean> {
  for (const identifier of identifiers) if (await receives(tenant, identifier)) return true;
  return false;
}

async function receives(
  { sendsMail, config }: Tenant,
  { identifier }: VerifiedIdentifier,
): Promise<boolean> {
  if (channelOf(identifier) === 'email') return sendsMail && isDeliverable(identifier);
  return receivesSms(config, identifier);
}

/** The parts of a flow that its next steps depend on. */
export type FlowState = Pick<
  StoredFlow,
  'purpose' | 'identifier' | 'continues' | 'isSent' | 'proofs' | 'acr' | 'user' | 'invitation'
>;

/** Returns the next steps, as in the API. Before the first proof they do not depend on the user. */
export function stepsOf(next: Next, flow: FlowState, tenant: Tenant): FlowNeed[] {
  if (next.status !== 'needs') return [];
  // Linking started with an identity at that provider.
  const isBound = next.step === 'first_factor' && flow.purpose !== 'linking';
  const captor = isBound ? captorOf(tenant, flow.identifier) : undefined;
  if (captor !== undefined) return capturedSteps(captor, flow, tenant);
  if (next.step === 'first_factor' && mayJoin(flow)) return joiningSteps(flow, tenant);
  if (next.step === 'message_factor') {
    // The code is sent to an identifier of the user, not necessarily the one that the login started with.
    return needsOf(flow.isSent ? ['message', 'code'] : ['message'], next.channel);
  }
  const channel = channelOf(flow.identifier);
  if (next.step !== 'enrollment') return needsOf(namesOf(next.step, flow, tenant), channel);
  const methods = enrollmentsOf(flow, tenant);
  return methods.length > 0 ? [{ step: 'enroll', methods }] : [];
}

function needsOf(steps: readonly FlowStep[], channel: MessageChannel): FlowNeed[] {
  return steps.map((step) => (step === 'message' ? { step, channels: [channel] } : { step }));
}

/**
 * Returns the steps for an address in a domain whose users log in at only one provider, whether or not a user has the
 * address.
 */
function capturedSteps(
  provider: IdentityProviderId,
  { purpose, continues }: FlowState,
  tenant: Tenant,
): FlowNeed[] {
  const isLogin = purpose !== 'recovery' && !continues;
  return isLogin && offersUpstream(tenant) ? [{ step: 'oauth', provider }] : [];
}

export type Enrollment = NonNullable<FlowNeed['methods']>[number];

/** Returns the factors that can be added. An authenticator app does not resist phishing. */
function enrollmentsOf({ acr }: FlowState, tenant: Tenant): Enrollment[] {
  const { mfa_methods: accepted } = tenant.config;
  return [
    ...(accepted.includes('passkey') && relyingPartyOf(tenant) ? (['passkey'] as const) : []),
    ...(accepted.includes('totp') && acr !== 'phr' ? (['totp'] as const) : []),
  ];
}

type NamedStep = Exclude<
  Extract<Next, { readonly status: 'needs' }>['step'],
  'enrollment' | 'message_factor'
>;

function namesOf(step: NamedStep, flow: FlowState, tenant: Tenant): FlowStep[] {
  const { user } = flow;
  if (step === 'first_factor') return firstSteps(flow, tenant);
  if (step === 'verification') return messageSteps(flow, tenant);
  // The user can have another verified address: the login must start with that one.
  if (step === 'mailbox') return user?.isVerified ? messageSteps(flow, tenant) : [];
  if (step === 'new_password') return ['new_password'];
  return user ? secondSteps(user, flow, tenant) : [];
}

function secondSteps(user: FlowUser, { acr }: FlowState, tenant: Tenant): FlowStep[] {
  const passkey: FlowStep[] = user.hasPasskey && relyingPartyOf(tenant) ? ['passkey'] : [];
  if (acr === 'phr' && passkey.length > 0) return passkey;
  return [
    ...passkey,
    ...(user.hasTotp ? (['totp'] as const) : []),
    ...(user.hasRecoveryCodes ? (['recovery_code'] as const) : []),
  ];
}

function firstSteps(flow: FlowState, tenant: Tenant): FlowStep[] {
  const { allowed_login_methods: allowed } = tenant.config;
  const { identifier, continues, purpose } = flow;
  if (purpose === 'recovery') {
    const isMail = channelOf(identifier) === 'email';
    return isMail && allowed.includes('password') ? messageSteps(flow, tenant) : [];
  }
  return [
    ...(allowed.includes('password') && !continues && identifier ? (['password'] as const) : []),
    ...(allowed.includes('magic_link') ? messageSteps(flow, tenant) : []),
    ...(!continues && offersPasskeys(tenant) ? (['passkey'] as const) : []),
    ...(!continues && purpose !== 'linking' && offersUpstream(tenant) ? (['oauth'] as const) : []),
  ];
}

/** Returns the message steps. A flow that continues another flow only accepts the code of its message. */
function messageSteps({ identifier, continues, isSent }: FlowState, tenant: Tenant): FlowStep[] {
  const channel = channelOf(identifier);
  if (identifier === '' || !channelsOf(tenant).includes(channel)) return [];
  if (continues) return isSent ? ['code'] : [];
  if (!isSent) return ['message'];
  const hasLink = tenant.config.magic_link_url !== null && channel === 'email';
  return hasLink ? ['message', 'code', 'link'] : ['message', 'code'];
}

/**
 * Whether the first credential creates the account of a flow's address, or transfers it to the invitee: no user has
 * proven the address. A continued flow only accepts a code.
 */
export function mayJoin({
  purpose,
  continues,
  user,
  proofs,
}: Pick<FlowState, 'purpose' | 'continues' | 'user' | 'proofs'>): boolean {
  const isVacant = !user || (user.isActive && !user.isVerified && !user.isReserved);
  return purpose === 'invitation' && !continues && isVacant && proofs.length === 0;
}

/** Returns the steps to join, in addition to the login of an existing user whose address is not verified. */
function joiningSteps(flow: FlowState, tenant: Tenant): FlowNeed[] {
  const isOnlyUser = flow.user !== undefined && !flow.user.hasOthers;
  const joining: FlowNeed[] = [
    ...(tenant.config.allowed_login_methods.includes('password')
      ? [{ step: 'new_password' as const }]
      : []),
    ...(offersPasskeys(tenant) ? [{ step: 'enroll' as const, methods: ['passkey' as const] }] : []),
  ];
  const first = firstSteps(flow, tenant).filter(
    (step) => isOnlyUser || (step !== 'password' && step !== 'passkey'),
  );
  return [...joining, ...needsOf(first, channelOf(flow.identifier))];
}

export function presentFlow(
  tenantId: TenantId,
  { id, purpose, expiresAt }: Pick<StoredFlow, 'id' | 'purpose' | 'expiresAt'>,
  status: LoginFlow['status'],
  needs: readonly FlowNeed[] = [],
): LoginFlow {
  return {
    id,
    tenant_id: tenantId,
    purpose,
    status,
    needs: [...needs],
    expires_at: expiresAt.toISOString(),
  };
}
