import {
  ID_PREFIX,
  type IdentityProviderId,
  type LoginFlowId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import { newLoginFlowId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { type Subject, counted, type Attempt } from '../../../tenancy/counters.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { stateOf } from '../../identity/invitations/index.ts';
import { type Flow, METHODS, type MethodName, type Shown } from '../proofs/index.ts';
import type { FlowUser, NewFlow, StoredFlow, StoredProof } from './flow-store.ts';
import { type KnownDevice, flowTokenHash, isDeviceOf } from './known-devices.ts';

export const LIFE_MS = 15 * 60 * 1000;
/** Maximum number of proofs in a flow, as in kw_append_proof. */
export const MAX_PROOFS = 8;
/** Maximum number of open flows without a proof that a network can have for an identifier. */
export const MAX_OPEN = 20;
/** Limits the flows that an address can start in a minute. */
export const START_LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;

export function isOpen(flow: StoredFlow, now: Date): boolean {
  const { endedAt, expiresAt, purpose, invitation } = flow;
  const isInvited = invitation !== undefined && stateOf(invitation, now) === 'pending';
  return endedAt === undefined && expiresAt > now && (purpose !== 'invitation' || isInvited);
}

/** Whether a client that lost the tokens of a flow can still request them: for as long as after a refresh. */
export function isRepeatable(
  { endedAt }: Pick<StoredFlow, 'endedAt'>,
  { refresh_retry_window: seconds }: Pick<Tenant['config'], 'refresh_retry_window'>,
  now: Date,
): boolean {
  return endedAt !== undefined && endedAt.getTime() + seconds * 1000 > now.getTime();
}

/** The argument of `decide`. */
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

/** A proof and the method that accepted it. */
export interface ShownProof extends Shown {
  readonly method: MethodName;
  /** The provider that vouched for the user, with a federated method. */
  readonly provider?: IdentityProviderId | undefined;
  /** The device that presented a token of an earlier login, if the proof came from one. */
  readonly knownDevice?: KnownDevice | undefined;
  /** Its counters. */
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

/** Returns the counters of a flow's proofs. */
export function attemptsIn(proofs: readonly StoredProof[]): Attempt[] {
  return proofs.flatMap(({ counted: subjects = [] }) =>
    subjects.map(({ kind, subject }) => ({
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

/** Returns the base64url ID of the known device that the user of a flow has used for a proof. */
export function deviceIn({
  proofs,
  user,
}: Pick<StoredFlow, 'proofs' | 'user'>): string | undefined {
  return user && deviceOf(proofs, { userId: user.id, authVersion: user.authVersion });
}

/** A proof older than a change of the user's credentials no longer makes its device a known one. */
function deviceOf(
  proofs: readonly StoredProof[],
  { userId, authVersion }: { readonly userId: UserId; readonly authVersion: number },
): string | undefined {
  const ofUser = proofs.filter(
    (proof) => proof.user_id === userId && proof.auth_version === authVersion,
  );
  return ofUser.find(({ device }) => device !== undefined)?.device;
}

/** The result of a change of the account. */
export interface FlowChange {
  readonly proofs: readonly ShownProof[];
  /** The flow's user after the change. Earlier proofs of the user remain valid in the new version. */
  readonly user?: FlowUser;
}

/** The flow after a change of the account. */
export function flowAfter(
  flow: StoredFlow,
  { proofs, user }: FlowChange,
  knownDevice: KnownDevice | undefined,
  at: Date,
): StoredFlow {
  const carried =
    flow.user && user ? carriedOver(flow.proofs, flow.user, user.authVersion) : flow.proofs;
  const added = proofs.map((proof) => storedProof({ ...proof, knownDevice }, at));
  return { ...flow, user: user ?? flow.user, proofs: [...carried, ...added] };
}

/** Returns the change after a new second factor: enrolling it also proves it. */
export function afterEnrollment(
  user: FlowUser,
  method: MethodName,
  authVersion: number,
): FlowChange {
  const hasPasskey = user.hasPasskey || METHODS[method].allowedAs === 'passkey';
  return {
    user: { ...user, authVersion, hasSecondFactor: true, hasPasskey },
    proofs: [{ method, userId: user.id, authVersion }],
  };
}

/**
 * Returns the change after an invitee's first credential: creating it also proves it, and the invitation's token
 * proves the address.
 */
export function afterJoining(user: FlowUser, method: MethodName, authVersion: number): FlowChange {
  const proof = { userId: user.id, authVersion };
  const isPasskey = METHODS[method].allowedAs === 'passkey';
  const factors = isPasskey ? { hasSecondFactor: true, hasPasskey: true } : {};
  return {
    user: { ...user, ...factors, authVersion },
    proofs: [
      { method: 'invitation', ...proof },
      { method, ...proof },
    ],
  };
}

/** Returns the proofs of a flow in the new version of its user, who has changed in the same transaction. */
function carriedOver(
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

/** Returns the user whom an invitation creates, or who owns the address, without credentials. */
export function inviteeOf({ id, expiresAt, user }: StoredFlow): FlowUser & { createdAt: Date } {
  const isOwner = user !== undefined && (user.isVerified || !user.hasOthers);
  return {
    // The ID is known before the user is stored, because a passkey is created for it.
    id: isOwner ? user.id : (`${ID_PREFIX.user}${id.slice(ID_PREFIX.loginFlow.length)}` as UserId),
    createdAt: new Date(expiresAt.getTime() - LIFE_MS),
    authVersion: isOwner ? user.authVersion : 0,
    isActive: true,
    hasSecondFactor: false,
    hasPasskey: false,
    hasRecoveryCodes: false,
    hasTotp: false,
    isVerified: true,
    hasOthers: false,
  };
}

/** The properties of a new flow. */
export interface NewFlowRequest
  extends
    Pick<StoredFlow, 'purpose' | 'identifier' | 'workspaceId'>,
    Partial<Pick<StoredFlow, 'acr' | 'stepsUp' | 'locale' | 'invitation'>> {
  readonly registers?: boolean | undefined;
  /** The name of the user whom the flow creates. */
  readonly name?: string | null | undefined;
  readonly userAgent?: string | null;
  /** The flow whose message this one redeems. */
  readonly continues?: LoginFlowId;
  /** The known device that starts the flow. */
  readonly knownDevice?: KnownDevice | undefined;
  /** The same device, sealed, for the token of the flow. */
  readonly sealedDevice?: string;
  /** The origin, unless a session or an administrator starts the flow. */
  readonly from?: Origin;
  /** The proof that the flow starts with. */
  readonly proof?: ShownProof;
}

export function newFlow(
  { proof, from, knownDevice, ...request }: Omit<NewFlowRequest, 'sealedDevice'>,
  token: string,
  now: Date,
): NewFlow {
  return {
    ...request,
    id: newLoginFlowId(now),
    expiresAt: new Date(now.getTime() + LIFE_MS),
    acr: request.acr,
    stepsUp: request.stepsUp,
    registers: request.registers ?? false,
    name: request.name ?? null,
    locale: request.locale,
    userAgent: request.userAgent ?? null,
    continues: request.continues,
    invitation: request.invitation,
    tokenHash: flowTokenHash(token),
    openedFrom: from ? openerOf(from, knownDevice) : null,
    proofs: proof ? [storedProof(proof, now)] : [],
  };
}

/**
 * Identifies the opener whose open flows are limited together. A known device has its own share for each identifier,
 * including identifiers of other users, so that no response reveals whose device it is.
 */
function openerOf({ address }: Origin, device: KnownDevice | undefined): Buffer {
  return sha256(
    device ? `opener device ${device.id.toString('hex')}` : `opener ${clientNetwork(address)}`,
  );
}

/** Maximum number of wrong codes in a flow. */
export const GUESSES = 5;
/** Limits the codes that are compared for a recipient, across all flows. */
export const CODE_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;

/** OWASP ASVS 5.0 §6.5.5. */
export const CHALLENGE_LIFE_MS = 10 * 60 * 1000;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + CHALLENGE_LIFE_MS);
}

/** The period for counting the wrong codes of a tenant. */
const COUNTED_MS = 60 * 60 * 1000;
/** The number of wrong codes to expect from a few users who mistype. */
const MISTYPED = 200;
/** The share of messages whose codes users are expected to mistype. */
const MISTYPED_SHARE = 0.2;

/** Returns the earliest expiry of challenges that started within the last hour. */
export function countedFrom(now: Date): Date {
  return new Date(now.getTime() + CHALLENGE_LIFE_MS - COUNTED_MS);
}

/** Whether there are more wrong codes than mistyping explains: then codes get longer. */
export function areGuessed({ sent, failed }: { sent: number; failed: number }): boolean {
  return failed > Math.max(MISTYPED, sent * MISTYPED_SHARE);
}

/** The counter of an identifier's codes, whether or not a user has the identifier. */
export function codeSubject(identifier: string): Subject {
  return counted('code', identifier);
}

/**
 * The challenge for a user who adds or verifies an address. A hash replaces the flow ID: the user has a session, and
 * nothing reveals in plain text what is pending. The hash differs for each version of the user, so that a code does
 * not outlive a change of the account.
 */
export function verificationOf({ userId, authVersion }: Shown, identifier: string) {
  const pending = sha256(`identifier ${userId} ${authVersion} ${identifier}`).toString('base64url');
  return { flowId: `idn_${pending}` as LoginFlowId, kind: 'verification', identifier } as const;
}

/** The purposes of codes. A code by SMS proves a different second factor than a code by email. */
export const MESSAGE_KINDS = [
  'login',
  'verification',
  'recovery',
  'second_factor_sms',
  'second_factor_email',
] as const;
export type ChallengeKind = (typeof MESSAGE_KINDS)[number];

/** Returns the kind of message for a challenge. The code is derived from it. */
export function messageKindOf(kind: ChallengeKind) {
  return isFactor(kind) ? 'second_factor' : kind;
}

/** Whether the code proves a second factor. */
export function isFactor(
  kind: ChallengeKind,
): kind is Extract<ChallengeKind, `second_factor_${string}`> {
  return kind === 'second_factor_sms' || kind === 'second_factor_email';
}
