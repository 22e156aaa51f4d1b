import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, anonymous } from '../../events/journal/index.ts';
import type { LoginRow } from './login-store.ts';

/** Why a login was rejected. Only the audit log shows it. */
export type Refusal =
  | 'identifier_unknown'
  | 'user_inactive'
  | 'method_not_allowed'
  | 'secret_wrong'
  | 'mfa_required'
  | 'verification_required'
  | 'password_breached'
  | 'workspace_unknown'
  | 'changed_meanwhile';

/** The password was right, and the login continues in a flow. */
const GOES_ON: readonly Refusal[] = ['mfa_required', 'verification_required', 'password_breached'];

/** Why an identified user was rejected. */
export function refusalOf({ config }: Tenant, row: LoginRow): Refusal {
  if (row.user_id === null) return 'identifier_unknown';
  if (!row.is_active) return 'user_inactive';
  const isAllowed = row.secret_hash !== null && config.allowed_login_methods.includes('password');
  return isAllowed ? 'secret_wrong' : 'method_not_allowed';
}

/** Who tried to log in, as far as is known. */
export interface Attempt {
  readonly from: Origin;
  readonly identifier: Identifier;
  readonly userId: UserId | null;
}

/** Does the same work for each reason, after the response was decided. */
export function noteRefusal(
  notes: Notes,
  tenant: Tenant,
  { from, identifier, userId }: Attempt,
  reason: Refusal,
): void {
  const isKnown = userId !== null;
  notes.note(tenant.id, anonymous(from), {
    action: 'auth.login_failed',
    method: GOES_ON.includes(reason) ? null : 'password',
    target: { kind: isKnown ? 'user' : 'identifier', id: userId },
    outcome: 'failure',
    details: { reason, identifier: isKnown ? null : masked(identifier) },
  });
}

/**
 * Records throttled logins, counted by address: a client can continue indefinitely, with another identifier each time.
 */
export function noteThrottled(
  notes: Notes,
  tenant: Tenant,
  from: Origin,
  reason: 'throttled' | 'registration_throttled',
): void {
  notes.count(tenant.id, from, {
    action: 'auth.login_failed',
    method: 'password',
    target: { kind: 'identifier', id: null },
    outcome: 'failure',
    details: { reason, identifier: null },
  });
}

/** Enough to recognize a mistyped address, but not to collect what others type. */
function masked({ type, identifier }: Identifier): string {
  if (type === 'phone') return `${identifier.slice(0, 3)}…${identifier.slice(-2)}`;
  const [local = '', domain = ''] = identifier.split('@');
  return `${Array.from(local)[0] ?? ''}…@${domain}`;
}
