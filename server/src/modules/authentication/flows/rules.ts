import type { FlowNeed, FlowStep } from '@keywright/contract/records/login-flow';
import type { MessageChannel } from '@keywright/contract/messages';
import {
  ID_PREFIX,
  type IdentityProviderId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import { channelOf, channelsOf } from '../../../tenancy/channels.ts';
import type { Subject } from '../../../tenancy/counters.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { stateOf } from '../../identity/invitations/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { offersPasskeys, relyingPartyOf, offersUpstream } from '../../../tenancy/login-methods.ts';
import type { Flow, Next, Shown } from '../proofs/index.ts';
import { captorOf } from '../../identity/users/index.ts';
import { isDeviceOf, type KnownDevice } from './device-tokens.ts';
import { type MethodName, METHODS } from './flow-methods.ts';
import type { FlowUser, StoredFlow, StoredProof } from './store.ts';

const LIFE_MS = 15 * 60 * 1000;
/** Proofs of one flow, as in kw_append_proof. */
export const MAX_PROOFS = 8;
/** Open flows of one identifier that a network has begun, and in which nothing is proven. */
export const MAX_OPEN = 20;
/** Flows that one address may begin in a minute. */
export const BEGIN_LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS);
}

export function isOpen(flow: StoredFlow, now: Date): boolean {
  const { endedAt, expiresAt, purpose, invitation } = flow;
  const isInvited = invitation !== undefined && stateOf(invitation, now) === 'pending';
  return endedAt === undefined && expiresAt > now && (purpose !== 'invitation' || isInvited);
}

/** Whether a client that lost the tokens of a flow may still ask for them: as long as one that lost those of a refresh. */
export function isRepeatable(
  { endedAt }: Pick<StoredFlow, 'endedAt'>,
  { refresh_retry_window: seconds }: Pick<Tenant['config'], 'refresh_retry_window'>,
  now: Date,
): boolean {
  return endedAt !== undefined && endedAt.getTime() + seconds * 1000 > now.getTime();
}

/** What `decide` takes. */
export function flowOf(
  tenantId: TenantId,
  { purpose, proofs, acr }: Pick<StoredFlow, 'purpose' | 'proofs' | 'acr'>,
): Flow {
  return {
    tenantId,
    acr,
    recovers: purpose === 'recovery',
    proofs: proofs.map(({ method, user_id: userId, auth_version: authVersion, at, provider }) => ({
      method: METHODS[method],
      userId,
      authVersion,
      at: new Date(at),
      provider,
    })),
  };
}

/** A proof, by the method that accepted it. */
export interface ShownProof extends Shown {
  readonly method: MethodName;
  /** Of a federated method: the provider that vouched for the user. */
  readonly provider?: IdentityProviderId | undefined;
  /** The device that it came from, if that presented a token of an earlier login. */
  readonly knownDevice?: KnownDevice | undefined;
  /** What it was counted by. */
  readonly attempts?: readonly Attempt[] | undefined;
}

export function storedProof(
  { method, userId, authVersion, provider, knownDevice, attempts = [] }: ShownProof,
  at: Date,
): StoredProof {
  return {
    method,
    user_id: userId,
    auth_version: authVersion,
    at: at.toISOString(),
    ...(provider && { provider }),
    ...(knownDevice &&
      isDeviceOf(knownDevice, { userId, authVersion }) && {
        device: knownDevice.id.toString('base64url'),
      }),
    ...(attempts.length > 0 && {
      counted: attempts.map(({ kind, subject }) => ({ kind, subject: subject.toString('base64') })),
    }),
  };
}

/** What the proofs of a flow were counted by. */
export function attemptsIn(proofs: readonly StoredProof[]): Attempt[] {
  return proofs.flatMap(({ counted = [] }) =>
    counted.map(({ kind, subject }) => ({
      kind,
      subject: Buffer.from(subject, 'base64') as Subject,
    })),
  );
}

/** Whether no step of a login presented a token of an earlier login of the user. */
export function isNewDevice(
  proofs: readonly StoredProof[],
  knownDevice: KnownDevice | undefined,
  user: { readonly userId: UserId; readonly authVersion: number },
): boolean {
  return deviceOf(proofs, user) === undefined && !isDeviceOf(knownDevice, user);
}

/** The ID of the known device on which the user of a flow has proven something, in base64url. */
export function deviceIn({
  proofs,
  user,
}: Pick<StoredFlow, 'proofs' | 'user'>): string | undefined {
  return user && deviceOf(proofs, { userId: user.id, authVersion: user.authVersion });
}

/** A proof from before a change of the user's credentials no longer makes its device a known one. */
function deviceOf(
  proofs: readonly StoredProof[],
  { userId, authVersion }: { readonly userId: UserId; readonly authVersion: number },
): string | undefined {
  const ofUser = proofs.filter((one) => one.user_id === userId && one.auth_version === authVersion);
  return ofUser.find(({ device }) => device !== undefined)?.device;
}

/** The proofs of a flow whose user has changed in the same transaction, in their new version. */
export function carriedOver(
  proofs: readonly StoredProof[],
  { id, authVersion: before }: Pick<FlowUser, 'id' | 'authVersion'>,
  authVersion: number,
): StoredProof[] {
  return proofs.map((proof) =>
    proof.user_id === id && proof.auth_version === before
      ? { ...proof, auth_version: authVersion }
      : proof,
  );
}

/** What the next steps of a flow depend on. */
export type FlowState = Pick<
  StoredFlow,
  'purpose' | 'identifier' | 'continues' | 'isSent' | 'proofs' | 'acr' | 'user' | 'invitation'
>;

/** What comes next, as it is shown. Before the first proof it does not depend on the user. */
export function stepsOf(next: Next, flow: FlowState, tenant: Tenant): FlowNeed[] {
  if (next.status !== 'needs') return [];
  // Linking began with an identity at that provider.
  const isBound = next.step === 'first_factor' && flow.purpose !== 'linking';
  const captor = isBound ? captorOf(tenant, flow.identifier) : undefined;
  if (captor !== undefined) return capturedSteps(captor, flow, tenant);
  if (next.step === 'first_factor' && mayJoin(flow)) return joiningSteps(flow, tenant);
  if (next.step === 'message_factor') {
    // To an identifier of the user, not to the one that the login began with.
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

/** For an address of a domain whose users log in at one provider only: whether or not somebody has it. */
function capturedSteps(
  provider: IdentityProviderId,
  { purpose, continues }: FlowState,
  tenant: Tenant,
): FlowNeed[] {
  const isLogin = purpose !== 'recovery' && !continues;
  return isLogin && offersUpstream(tenant) ? [{ step: 'oauth', provider }] : [];
}

export type Enrolment = NonNullable<FlowNeed['methods']>[number];

/** The factors that may be added. An authenticator app does not resist phishing. */
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
  // Another address of the user may be verified: the login has to begin with that one.
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

/** A flow that continues another one takes the code of its message, and nothing else. */
function messageSteps({ identifier, continues, isSent }: FlowState, tenant: Tenant): FlowStep[] {
  const channel = channelOf(identifier);
  if (identifier === '' || !channelsOf(tenant).includes(channel)) return [];
  if (continues) return isSent ? ['code'] : [];
  if (!isSent) return ['message'];
  const hasLink = tenant.config.magic_link_url !== null && channel === 'email';
  return hasLink ? ['message', 'code', 'link'] : ['message', 'code'];
}

/**
 * Whether the account of a flow's address is made, or passes to the person who was invited, with its first credential: no
 * user has proven the address. A continued flow only takes a code.
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

/** Beside the login of the user whose address it is, if nobody has proven it. */
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

/** The user of a flow that has joined: a new one, or the one who has the address. Without credentials. */
export function inviteeOf({ id, expiresAt, user }: StoredFlow): FlowUser & { createdAt: Date } {
  const isOwn = user !== undefined && (user.isVerified || !user.hasOthers);
  return {
    // Known before it is stored: a passkey is created for it.
    id: isOwn ? user.id : (`${ID_PREFIX.user}${id.slice(ID_PREFIX.loginFlow.length)}` as UserId),
    createdAt: new Date(expiresAt.getTime() - LIFE_MS),
    authVersion: isOwn ? user.authVersion : 0,
    isActive: true,
    hasSecondFactor: false,
    hasPasskey: false,
    hasRecoveryCodes: false,
    hasTotp: false,
    isVerified: true,
    hasOthers: false,
  };
}
