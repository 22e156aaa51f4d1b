import type { Acr } from '@keywright/contract/authentication';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Flow, Method, Proof } from './proof.ts';

/** Protected: neither an object with the same fields nor a modified copy is a permit. */
declare abstract class Decided {
  protected readonly decided: true;
}

/** Permission to open a session: for whom, and on what grounds. Only `decide` creates one. */
export interface Permit extends Decided {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** The statement that opens the session rejects it if the user's has changed. */
  readonly authVersion: number;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly amr: readonly string[];
}

/** The next step of a flow. */
export type Next =
  | { readonly status: 'needs'; readonly step: 'first_factor' | 'second_factor' }
  /** No further proof leads to a session. */
  | { readonly status: 'ended' }
  | { readonly status: 'complete'; readonly permit: Permit };

/** The user of a flow, as currently stored. */
export interface UserState {
  readonly id: UserId;
  readonly isActive: boolean;
  readonly authVersion: number;
  /** An enrolled second factor is required, whether or not the tenant requires one of everybody. */
  readonly hasSecondFactor: boolean;
}

export type Policy = Pick<TenantConfig, 'allowed_login_methods' | 'require_mfa'>;

/**
 * The only way to a session. Only proofs count, and only of this user in their current state. The statement that opens
 * the session checks again that the user is active and unchanged.
 */
export function decide(flow: Flow, user: UserState | undefined, policy: Policy): Next {
  const proofs = user ? proofsOf(user, flow, policy) : [];
  if (!user || !proofs.some(({ method }) => method.allowedAs !== null)) {
    return { status: 'needs', step: 'first_factor' };
  }
  if (!user.isActive) return { status: 'ended' };
  const acr = levelOf(proofs);
  if (acr === 'aal1' && (policy.require_mfa || user.hasSecondFactor)) {
    return { status: 'needs', step: 'second_factor' };
  }
  return { status: 'complete', permit: permitOf(flow.tenantId, user, proofs, acr) };
}

/** Whether this method alone suffices for a user without a second factor. */
export function isEnough(method: Method, policy: Policy): boolean {
  return method.allowedAs !== null && isAllowed(method, policy) && !policy.require_mfa;
}

function proofsOf({ id, authVersion }: UserState, { proofs }: Flow, policy: Policy): Proof[] {
  return proofs.filter(
    (proof) =>
      proof.userId === id && proof.authVersion === authVersion && isAllowed(proof.method, policy),
  );
}

function isAllowed({ allowedAs }: Method, { allowed_login_methods: allowed }: Policy): boolean {
  return allowedAs === null || allowed.includes(allowedAs);
}

/**
 * NIST SP 800-63B-4 §2.2.1: two factors are something that the user has, and another kind. A mailbox never counts as
 * the second one (§3.1.3.1), nor does a login elsewhere.
 */
function levelOf(proofs: readonly Proof[]): Acr {
  const kinds = new Set(proofs.map(({ method }) => method.kind));
  return kinds.has('possession') && kinds.size > 1 ? 'aal2' : 'aal1';
}

function permitOf(
  tenantId: TenantId,
  { id: userId, authVersion }: UserState,
  proofs: readonly Proof[],
  acr: Acr,
): Permit {
  const methods = new Set(proofs.flatMap(({ method }) => method.amr));
  // RFC 8176 §2: `mfa` beside the methods.
  if (acr === 'aal2') methods.add('mfa');
  const authTime = new Date(Math.max(...proofs.map(({ at }) => at.getTime())));
  const fields: Omit<Permit, never> = {
    tenantId,
    userId,
    authVersion,
    authTime,
    acr,
    amr: [...methods],
  };
  return fields as Permit;
}
