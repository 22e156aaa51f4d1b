import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** Wrong codes in a row that suspend a factor (NIST SP 800-63B-4 §3.2.2). */
export const MAX_FAILURES = 100;

/** The same on a known device, if the guess is made on one: it accepts as many again. @param device its ID */
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
   * The value of `mfa_methods` that enables it. Such a message counts only as the second factor of a user who has none of
   * their own.
   */
  readonly factorAs?: 'sms' | 'email';
  /** Its authenticator has verified the user: it counts as two factors, and resists phishing. */
  readonly verifiesUser?: true;
  /** Whoever it relies on has proven two factors: it counts as two. */
  readonly provesTwo?: true;
  /** RFC 8176 §2. */
  readonly amr: readonly string[];
  /** It proves who it is, and has to be replaced before a session: others may know it, too. */
  readonly isCompromised?: true;
}

/** The result of one use of a method: the user authenticated. */
export interface Shown {
  readonly userId: UserId;
  /** `users.auth_version`, read together with the credential that was checked. */
  readonly authVersion: number;
}

/** A login method. */
export interface LoginMethod<Input> extends Method {
  /** @returns undefined if the input proves nothing */
  prove(input: Input): Promise<Shown | undefined>;
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
  /** The least assurance that it has to lead to, if one was asked for. */
  readonly acr?: Acr | undefined;
  /** It begins with a mailbox, whether or not that is a login of the tenant, and has to lead to a new password. */
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

/** Uses a method for a flow. @returns the flow, with another proof if it succeeded */
export async function prove<Input>(
  flow: Flow,
  method: LoginMethod<Input>,
  input: Input,
  at: Date,
): Promise<Flow> {
  const shown = await method.prove(input);
  return shown ? addProof(flow, method, shown, at) : flow;
}
