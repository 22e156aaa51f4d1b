import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** Wrong codes in a row that suspend a factor (NIST SP 800-63B-4 §3.2.2). */
export const MAX_FAILURES = 100;

/** The limit for a guess: a known device accepts as many failures again. @param device its ID; undefined if unknown */
export function maxFailuresOf(device: string | undefined): number {
  return device === undefined ? MAX_FAILURES : 2 * MAX_FAILURES;
}

/** Whether the last of these wrong codes in a row has suspended a factor. */
export function hasSuspended(failures: number): boolean {
  return failures > 0 && failures % MAX_FAILURES === 0;
}

/** The factor that a method proves. Two proofs of one kind are one factor (NIST SP 800-63B-4 §2.2). */
type FactorKind = 'knowledge' | 'possession' | 'mailbox' | 'phone' | 'federated';

/** The static properties of a login method, which the result of a proof cannot change. */
export interface Method {
  readonly kind: FactorKind;
  /** The value of `allowed_login_methods` that enables it; null: it is never the first factor. */
  readonly allowedAs: TenantConfig['allowed_login_methods'][number] | null;
  /**
   * The value of `mfa_methods` that enables it. Such a message counts only as the second factor of a user who has not
   * enrolled one.
   */
  readonly factorAs?: 'sms' | 'email';
  /** Its authenticator has verified the user: it counts as two factors, and resists phishing. */
  readonly verifiesUser?: true;
  /** The provider behind it has verified two factors: it counts as two. */
  readonly provesTwo?: true;
  /** RFC 8176 §2. */
  readonly amr: readonly string[];
  /** It identifies the user, and must be replaced before a session is opened: an attacker may know it. */
  readonly isCompromised?: true;
}

/** The result of one use of a method: the user authenticated. */
export interface Shown {
  readonly userId: UserId;
  /** `users.auth_version`, read together with the credential that was checked. */
  readonly authVersion: number;
}

export interface Proof extends Shown {
  readonly method: Method;
  /** Of a federated method: the provider that vouched for the user. */
  readonly provider?: IdentityProviderId | undefined;
  readonly at: Date;
}

/** A login in progress in a tenant, with the proofs so far. */
export interface Flow {
  readonly tenantId: TenantId;
  readonly proofs: readonly Proof[];
  /** The requested assurance, if any: the least that the flow must lead to. */
  readonly acr?: Acr | undefined;
  /** It begins with a mailbox, whether or not the tenant allows that as a login, and must lead to a new password. */
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
