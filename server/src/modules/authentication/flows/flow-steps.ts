import type { IdentityProviderId, TenantId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { FlowNeed, FlowStep, LoginFlow } from '@keywright/contract/records/login-flow';
import { channelOf, channelsOf } from '../../../tenancy/channels.ts';
import { offersPasskeys, offersUpstream, relyingPartyOf } from '../../../tenancy/login-methods.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { captorOf } from '../../identity/users/index.ts';
import type { Next } from '../proofs/index.ts';
import type { FlowUser, StoredFlow } from './flow-store.ts';

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
  if (next.step !== 'enrolment') return needsOf(namesOf(next.step, flow, tenant), channel);
  const methods = enrolmentsOf(flow, tenant);
  return methods.length > 0 ? [{ step: 'enrol', methods }] : [];
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

export type Enrolment = NonNullable<FlowNeed['methods']>[number];

/** Returns the factors that can be added. An authenticator app does not resist phishing. */
function enrolmentsOf({ acr }: FlowState, tenant: Tenant): Enrolment[] {
  const { mfa_methods: accepted } = tenant.config;
  return [
    ...(accepted.includes('passkey') && relyingPartyOf(tenant) ? (['passkey'] as const) : []),
    ...(accepted.includes('totp') && acr !== 'phr' ? (['totp'] as const) : []),
  ];
}

type NamedStep = Exclude<
  Extract<Next, { readonly status: 'needs' }>['step'],
  'enrolment' | 'message_factor'
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
  const isOwn = flow.user !== undefined && !flow.user.hasOthers;
  const joining: FlowNeed[] = [
    ...(tenant.config.allowed_login_methods.includes('password')
      ? [{ step: 'new_password' as const }]
      : []),
    ...(offersPasskeys(tenant) ? [{ step: 'enrol' as const, methods: ['passkey' as const] }] : []),
  ];
  const first = firstSteps(flow, tenant).filter(
    (step) => isOwn || (step !== 'password' && step !== 'passkey'),
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
