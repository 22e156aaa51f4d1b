import { isFresh } from '@keywright/contract/assurance';
import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** Protected: neither an object with the same fields nor a modified copy is a permit. */
declare abstract class Decided {
  protected readonly decided: true;
}

/** Permission to open a session for a user, with the grounds for it. Only `decide` creates one. */
export interface Permit extends Decided {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** The statement that opens the session rejects the permit if the user's version has changed. */
  readonly authVersion: number;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly amr: readonly string[];
  /** The provider that vouched for the user; undefined if none did. */
  readonly provider: IdentityProviderId | undefined;
}

/**
 * - `verification`: a message proves an identifier of a user who has no verified one.
 * - `mailbox`: a message proves a verified identifier before a second factor is enrolled.
 */
type NeededStep =
  | 'first_factor'
  | 'verification'
  | 'second_factor'
  | 'new_password'
  | 'mailbox'
  | 'enrollment';

/** The next step of a flow. */
export type Next =
  | { readonly status: 'needs'; readonly step: NeededStep }
  /** A code to a verified identifier is the second factor. */
  | {
      readonly status: 'needs';
      readonly step: 'message_factor';
      readonly channel: MessageChannel;
    }
  /** No further proof leads to a session. */
  | { readonly status: 'ended' }
  | { readonly status: 'complete'; readonly permit: Permit };

/** The user of a flow, as currently stored. */
export interface UserState {
  readonly id: UserId;
  readonly isActive: boolean;
  readonly authVersion: number;
  /** An enrolled second factor is required, whether or not the tenant requires one of all users. */
  readonly hasSecondFactor: boolean;
  /** Whether one of the user's second factors is a passkey. */
  readonly hasPasskey: boolean;
  /** Whether any identifier of the user is verified, not only the one that the flow started with. */
  readonly hasVerifiedIdentifier: boolean;
  /** Whether the tenant can send messages to a verified identifier of the user. */
  readonly hasMailbox: boolean;
  /** The channels for codes that the tenant accepts as the second factor of a user who has not enrolled one. */
  readonly factorChannels: readonly MessageChannel[];
}

/** What a tenant requires of a user. */
export interface Policy extends Pick<TenantConfig, 'allowed_login_methods' | 'mfa_methods'> {
  /** Required by `require_mfa`, or by the user's scopes. */
  readonly requiresSecondFactor: boolean;
  /** The user holds scopes, so two factors at a provider do not replace the enrolled second factor. */
  readonly requiresEnrolledFactor: boolean;
  readonly requiresVerifiedIdentifier: boolean;
  /** The providers that captured the user's email domain: one must vouch for the user. Empty: any login method. */
  readonly requiredProviders: readonly IdentityProviderId[];
}

/**
 * The only way to a session. Only proofs of this user in their current state count. The statement that opens the
 * session checks again that the user is active and unchanged.
 */
export function decide(flow: Flow, user: UserState | undefined, policy: Policy): Next {
  const proofs = user ? proofsOf(user, flow, policy) : [];
  if (!user || !proofs.some(({ method }) => isFirst(method, flow, policy))) {
    return { status: 'needs', step: 'first_factor' };
  }
  if (!user.isActive) return { status: 'ended' };
  // Precedes the second factor, because the message that verifies an address also allows its user to enroll one.
  if (policy.requiresVerifiedIdentifier && !user.hasVerifiedIdentifier) {
    return { status: 'needs', step: 'verification' };
  }
  const acr = levelOf(proofs, user.hasSecondFactor && policy.requiresEnrolledFactor);
  if (acr === 'aal1' && user.hasSecondFactor) return { status: 'needs', step: 'second_factor' };
  const isFull = isSecond(acr, proofs, policy) && isMet(flow.acr, acr);
  const channel = isFull || acr !== 'aal1' ? undefined : factorChannel(flow, user, proofs, policy);
  // Precedes the new password, so that a mailbox alone cannot set a password if more than a mailbox is required.
  if (channel) return { status: 'needs', step: 'message_factor', channel };
  if (needsNewPassword(flow, proofs)) {
    return { status: 'needs', step: 'new_password' };
  }
  if (!isFull) {
    if (acr === 'aal2' && user.hasPasskey) return { status: 'needs', step: 'second_factor' };
    const may = acr === 'aal2' || mayEnroll(user, flow);
    return { status: 'needs', step: may ? 'enrollment' : 'mailbox' };
  }
  return { status: 'complete', permit: permitOf(flow.tenantId, user, proofs, acr) };
}

/** Whether the required second factor was proven, or none is required. */
function isSecond(acr: Acr, proofs: readonly Proof[], policy: Policy): boolean {
  if (acr !== 'aal1' || !policy.requiresSecondFactor) return true;
  // A mailbox satisfies a tenant that chose it, but remains aal1 (NIST SP 800-63B-4 §3.1.3.1).
  return proofs.some(({ method }) => method.factorAs === 'email') && kindsOf(proofs).size > 1;
}

/** The channel of the code that would be the second factor. A code to the login's identifier proves nothing more. */
function factorChannel(
  { acr: required }: Flow,
  { factorChannels }: UserState,
  proofs: readonly Proof[],
  { requiresSecondFactor }: Policy,
): MessageChannel | undefined {
  const kinds = kindsOf(proofs);
  return factorChannels.find((channel) =>
    channel === 'sms'
      ? !kinds.has('phone')
      : !kinds.has('mailbox') && requiresSecondFactor && isMet(required, 'aal1'),
  );
}

/** Recoveries and logins with a breached password end with a new password. */
function needsNewPassword({ recovers }: Flow, proofs: readonly Proof[]): boolean {
  const isRequired = recovers === true || proofs.some(({ method }) => method.isCompromised);
  const isSound = ({ method }: Proof) => method.kind === 'knowledge' && !method.isCompromised;
  return isRequired && !proofs.some(isSound);
}

/** Whether a login can start with the method. A recovery starts with a mailbox, because the password was forgotten. */
function isFirst(method: Method, { recovers }: Flow, policy: Policy): boolean {
  if (policy.requiredProviders.length > 0 && method.kind !== 'federated') return false;
  if (recovers) return method.kind === 'mailbox' && method.factorAs === undefined;
  return method.allowedAs !== null && isAllowed(method, policy);
}

function isMet(required: Acr = 'aal1', acr: Acr): boolean {
  return isFresh({ acr }, { acr: required }, 0);
}

/** Whether this method alone suffices for a user without a second factor or a verified identifier. */
export function isEnough(method: Method, policy: Policy): boolean {
  return (
    method.allowedAs !== null &&
    isAllowed(method, policy) &&
    policy.requiredProviders.length === 0 &&
    (!policy.requiresSecondFactor || method.verifiesUser === true || method.provesTwo === true) &&
    !policy.requiresVerifiedIdentifier
  );
}

/** Whether the user can enroll a second factor. A stolen password alone must not suffice for that. */
function mayEnroll(user: UserState, { proofs }: Flow): boolean {
  return (
    !user.hasMailbox || proofs.some((proof) => isMessage(proof.method) && isCurrent(proof, user))
  );
}

/** Whether the method proves that the user receives messages to an identifier. */
function isMessage({ kind }: Method): boolean {
  return kind === 'mailbox' || kind === 'phone';
}

function isCurrent(proof: Proof, { id, authVersion }: UserState): boolean {
  return proof.userId === id && proof.authVersion === authVersion;
}

function proofsOf(user: UserState, flow: Flow, policy: Policy): Proof[] {
  return flow.proofs.filter(
    (proof) =>
      isCurrent(proof, user) &&
      isAcceptedFactor(proof.method, user, policy) &&
      isOfRequiredProvider(proof, policy) &&
      (isAllowed(proof.method, policy) ||
        // A method that verifies the user remains a second factor, whatever the allowed first factors are.
        proof.method.verifiesUser === true ||
        (flow.recovers && proof.method.kind === 'mailbox')),
  );
}

/** Another provider proves nothing about a user in a captured domain, not even a second factor. */
function isOfRequiredProvider(
  { method, provider }: Proof,
  { requiredProviders: required }: Policy,
): boolean {
  if (required.length === 0 || method.kind !== 'federated') return true;
  return provider !== undefined && required.includes(provider);
}

/** A user with a second factor must use it, because no message replaces it. */
function isAcceptedFactor(
  { factorAs }: Method,
  { hasSecondFactor }: UserState,
  { mfa_methods: accepted }: Policy,
): boolean {
  return factorAs === undefined || (!hasSecondFactor && accepted.includes(factorAs));
}

/** Whether the tenant accepts proofs of the method. */
export function isAllowed(
  { allowedAs }: Method,
  { allowed_login_methods: allowed }: Pick<Policy, 'allowed_login_methods'>,
): boolean {
  return allowedAs === null || allowed.includes(allowedAs);
}

/**
 * Returns the assurance level of the proofs. Two factors are a possession and a factor of another kind (NIST SP
 * 800-63B-4 §2.2.1). A mailbox never counts as the second factor (§3.1.3.1), and a phone number only where the tenant
 * accepts the risk of codes by SMS (§3.1.3.3). A login elsewhere does not count as one either, but can be two factors
 * by itself.
 * @param needsEnrolledFactor two factors at a provider count as one
 */
function levelOf(proofs: readonly Proof[], needsEnrolledFactor: boolean): Acr {
  if (proofs.some(({ method }) => method.verifiesUser)) return 'phr';
  if (!needsEnrolledFactor && proofs.some(({ method }) => method.provesTwo)) return 'aal2';
  const kinds = kindsOf(proofs);
  const isPossession = ({ method }: Proof) =>
    method.kind === 'possession' || method.factorAs === 'sms';
  return kinds.size > 1 && proofs.some(isPossession) ? 'aal2' : 'aal1';
}

function kindsOf(proofs: readonly Proof[]): Set<Method['kind']> {
  return new Set(proofs.map(({ method }) => method.kind));
}

function permitOf(
  tenantId: TenantId,
  { id: userId, authVersion }: UserState,
  proofs: readonly Proof[],
  acr: Acr,
): Permit {
  const methods = new Set(proofs.flatMap(({ method }) => method.amr));
  // RFC 8176 §2: `mfa` is listed in addition to the methods.
  if (acr !== 'aal1') methods.add('mfa');
  const authTime = new Date(Math.max(...proofs.map(({ at }) => at.getTime())));
  const fields: Omit<Permit, never> = {
    tenantId,
    userId,
    authVersion,
    authTime,
    acr,
    amr: [...methods],
    provider: proofs.findLast(({ provider }) => provider !== undefined)?.provider,
  };
  return fields as Permit;
}

/** The number of consecutive wrong codes that suspends a factor (NIST SP 800-63B-4 §3.2.2). */
export const MAX_FAILURES = 100;

/** The failure limit for a guess, which is doubled on a known device. @param device its ID; undefined if unknown */
export function maxFailuresOf(device: string | undefined): number {
  return device === undefined ? MAX_FAILURES : 2 * MAX_FAILURES;
}

/** Whether the last of these consecutive wrong codes suspended a factor. */
export function hasSuspended(failures: number): boolean {
  return failures > 0 && failures % MAX_FAILURES === 0;
}

/** The factor that a method proves. Two proofs of one kind are one factor (NIST SP 800-63B-4 §2.2). */
type FactorKind = 'knowledge' | 'possession' | 'mailbox' | 'phone' | 'federated';

/** The static properties of a login method, which the result of a proof cannot change. */
export interface Method {
  readonly kind: FactorKind;
  /** The value of `allowed_login_methods` that enables the method; null if it is never the first factor. */
  readonly allowedAs: TenantConfig['allowed_login_methods'][number] | null;
  /**
   * The value of `mfa_methods` that enables the method. Such a message counts only as the second factor of a user who
   * has not enrolled one.
   */
  readonly factorAs?: 'sms' | 'email';
  /** The authenticator has verified the user, so the method counts as two factors and resists phishing. */
  readonly verifiesUser?: true;
  /** The provider has verified two factors, so the method counts as two. */
  readonly provesTwo?: true;
  /** RFC 8176 §2. */
  readonly amr: readonly string[];
  /** The secret identifies the user, but an attacker may know it: it must be replaced before a session is opened. */
  readonly isCompromised?: true;
}

/** The result of one successful use of a method. */
export interface Shown {
  readonly userId: UserId;
  /** `users.auth_version`, read together with the credential that was checked. */
  readonly authVersion: number;
}

interface Proof extends Shown {
  readonly method: Method;
  /** The provider that vouched for the user of a federated method. */
  readonly provider?: IdentityProviderId | undefined;
  readonly at: Date;
}

/** A login in progress in a tenant, with the proofs so far. */
export interface Flow {
  readonly tenantId: TenantId;
  readonly proofs: readonly Proof[];
  /** The minimum assurance level that was requested for the flow, if any. */
  readonly acr?: Acr | undefined;
  /** The flow starts with a mailbox, even if the tenant does not allow that as a login, and requires a new password. */
  readonly recovers?: boolean;
}

export function newFlow(tenantId: TenantId): Flow {
  return { tenantId, proofs: [] };
}

/** Adds a proof, restricted to what its method may claim, without duplicates. */
export function addProof(flow: Flow, method: Method, shown: Shown, at: Date): Flow {
  const { userId, authVersion } = shown;
  return { ...flow, proofs: [...flow.proofs, { userId, authVersion, method, at }] };
}

const PASSWORD = {
  kind: 'knowledge',
  allowedAs: 'password',
  amr: ['pwd'],
} as const satisfies Method;

/** A code or a link sent by email. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;

/**
 * A code sent by SMS. NIST SP 800-63B-4 §3.1.3.3 restricts it, because numbers can be ported and SIM cards swapped
 * without their owner. It proves a number as an email proves a mailbox, and is not a possession that completes a
 * password to two factors.
 */
const SMS = {
  kind: 'phone',
  allowedAs: 'magic_link',
  amr: ['sms', 'otp'],
} as const satisfies Method;

const PASSKEY = { kind: 'possession', allowedAs: 'passkey', verifiesUser: true } as const;

/** A login at an identity provider. */
const UPSTREAM = {
  kind: 'federated',
  allowedAs: 'oauth',
  amr: ['fed'],
} as const satisfies Method;

/** All login methods, by the name under which flows store their proofs. */
export const METHODS = {
  password: PASSWORD,
  /** A breached password identifies the user, but must be replaced. */
  breached_password: { ...PASSWORD, isCompromised: true },
  email: EMAIL,
  sms: SMS,
  /** A code by email after another factor, in a tenant that accepts it as the second one. */
  email_factor: { ...EMAIL, allowedAs: null, factorAs: 'email' },
  /** A code by SMS after another factor, in a tenant that accepts the risk. */
  sms_factor: { ...SMS, allowedAs: null, factorAs: 'sms' },
  /**
   * The token of an invitation. It proves the mailbox of a new user, but cannot start a login by itself, because it is
   * valid for days and emails are forwarded.
   */
  invitation: { kind: 'mailbox', allowedAs: null, amr: ['email'] },
  /** An authenticator app. RFC 8176 §2: `otp`. */
  totp: { kind: 'possession', allowedAs: null, amr: ['otp'] },
  /** A passkey that cannot leave its device. RFC 8176 §2: `hwk`. */
  passkey: { ...PASSKEY, amr: ['pop', 'user', 'hwk'] },
  /** A passkey that can be backed up to other devices. RFC 8176 §2: `swk`. */
  synced_passkey: { ...PASSKEY, amr: ['pop', 'user', 'swk'] },
  /** A possession: a list of codes, each for one use (NIST SP 800-63B-4 §3.1.2). */
  recovery_code: { kind: 'possession', allowedAs: null, amr: ['recovery'] },
  upstream: UPSTREAM,
  /** A login with two factors, if the provider reports them and the tenant trusts it to have verified them. */
  upstream_mfa: { ...UPSTREAM, provesTwo: true },
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;

/** The name of the method under which flows store the proof of a passkey. */
export function passkeyMethodOf(isBackupEligible: boolean): 'passkey' | 'synced_passkey' {
  return isBackupEligible ? 'synced_passkey' : 'passkey';
}
