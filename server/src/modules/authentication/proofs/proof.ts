import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

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

export interface Proof extends Shown {
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

export function beginFlow(tenantId: TenantId): Flow {
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
