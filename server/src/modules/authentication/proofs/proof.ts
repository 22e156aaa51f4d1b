import type { TenantId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** What a method proves. Two proofs of one kind are one factor (NIST SP 800-63B-4 §2.2). */
type FactorKind = 'knowledge' | 'possession' | 'mailbox' | 'federated';

/** What is known of a login method before it is used. Nothing that a use of it returns changes this. */
export interface Method {
  readonly kind: FactorKind;
  /** Which of the methods that a tenant allows it counts as; null: it is never the first factor. */
  readonly allowedAs: TenantConfig['allowed_login_methods'][number] | null;
  /** RFC 8176 §2. */
  readonly amr: readonly string[];
}

/** What one use of a method has shown: that this user is there. */
export interface Shown {
  readonly userId: UserId;
  /** `users.auth_version`, read together with what the user was checked against. */
  readonly authVersion: number;
}

/** A way to log in. */
export interface LoginMethod<Input> extends Method {
  /** @returns nothing where the input proves nothing */
  prove(input: Input): Promise<Shown | undefined>;
}

export interface Proof extends Shown {
  readonly method: Method;
  readonly at: Date;
}

/** A login under way in a tenant, and what was proven in it so far. */
export interface Flow {
  readonly tenantId: TenantId;
  readonly proofs: readonly Proof[];
}

export function beginFlow(tenantId: TenantId): Flow {
  return { tenantId, proofs: [] };
}

/** Takes from what was shown no more than it may say, and each of it once. */
export function addProof(flow: Flow, method: Method, shown: Shown, at: Date): Flow {
  const { userId, authVersion } = shown;
  return { ...flow, proofs: [...flow.proofs, { userId, authVersion, method, at }] };
}

/** Uses a method for a flow. @returns the flow, with one proof more if there is one */
export async function prove<Input>(
  flow: Flow,
  method: LoginMethod<Input>,
  input: Input,
  at: Date,
): Promise<Flow> {
  const shown = await method.prove(input);
  return shown ? addProof(flow, method, shown, at) : flow;
}
