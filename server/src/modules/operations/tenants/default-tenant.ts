import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { findVerification } from '../../identity/users/index.ts';
import { hasAnotherWay } from './default-tenant-store.ts';

const MFA_SETTINGS = ['require_mfa', 'require_mfa_role'] as const;

/** Before the default tenant requires a verified identifier: the caller has one, and so can always log in. */
export async function requireVerifiedCaller(
  own: TenantTx,
  caller: Caller,
  before: TenantConfig,
  after: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  if (!after.require_verified_identifier || before.require_verified_identifier) return;
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === own.tenantId;
  const isVerified = isDirect && (await findVerification(own, caller.subject)).hasVerified;
  if (isVerified) return;
  const message =
    'can be set here by an administrator who has a verified identifier: verify one at /me/identifiers';
  const path = '/config/require_verified_identifier';
  fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}

/** Before logins of the default tenant need a passkey: the caller has logged in with one. */
export function requirePasskeyOfCaller(
  own: TenantTx,
  caller: Caller,
  { allowed_login_methods: before }: TenantConfig,
  { allowed_login_methods: after }: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const needsPasskey = (methods: TenantConfig['allowed_login_methods']) =>
    !methods.includes('password') && !methods.includes('magic_link');
  if (!needsPasskey(after) || needsPasskey(before)) return;
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === own.tenantId;
  if (isDirect && isFresh(caller.claims, { acr: 'phr' }, 0)) return;
  const message =
    'can be passkeys alone here by an administrator who has logged in with one: add it at /me/factors, and log in again';
  fail('VALIDATION_FAILED', { errors: [{ path: '/config/allowed_login_methods', message }] });
}

/**
 * Before the default tenant requires a second factor: the caller has logged in with one, and one lost phone does not lock
 * every system administrator out.
 */
export async function requireAdministrable(
  own: TenantTx,
  caller: Caller,
  before: TenantConfig,
  after: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const field = MFA_SETTINGS.find((name) => after[name] && after[name] !== before[name]);
  if (!field) return;
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: `/config/${field}`, message }] });
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === own.tenantId;
  if (!isDirect || !isFresh(caller.claims, { acr: 'aal2' }, 0)) {
    refuse(
      'can be set here by an administrator who has logged in with a second factor: add one at /me/factors, and log in again',
    );
  }
  if (!(await hasAnotherWay(own, caller.subject as UserId, SYSTEM_ADMIN))) {
    refuse(
      'needs recovery codes of yours, or another active system administrator with a second factor: one lost device would lock everybody out',
    );
  }
}
