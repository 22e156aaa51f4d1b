import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type {
  TenantConfigPatch,
  TenantMessagingPatch,
  TenantRecord,
  TenantConfig,
} from '@keywright/contract/records/tenant';
import { isDevelopment, sendsMailForAll } from '../../../platform/development.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { relyingPartyOf } from '../../../tenancy/tenant.ts';
import type { Core } from '../../../tenancy/module.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { findVerification } from '../../identity/users/index.ts';
import { requireSms } from './messaging.ts';
import { requireReachable, requireReady } from './tenant-rules.ts';
import { hasAnotherWay } from './tenant-store.ts';

interface Patch {
  readonly config?: TenantConfigPatch;
  readonly messaging?: TenantMessagingPatch;
  readonly domains?: readonly string[];
}

/** Rejects settings that could not work, or that would prevent all users from logging in. */
export async function requireWorking(
  { egress, config }: Pick<Core, 'egress' | 'config'>,
  patch: Patch,
  after: Pick<TenantRecord, 'config' | 'messaging' | 'issuer' | 'domains'>,
  hasProviders: boolean,
  fail: Fail<'VALIDATION_FAILED' | 'METHOD_NOT_READY'>,
): Promise<void> {
  const installed = { sendsMailForAll: sendsMailForAll(config), hasProviders };
  requireReachable(egress, patch.messaging, after.messaging, fail);
  requireReady(patch, after, installed, fail);
  const showsMessages = isDevelopment(config);
  await requireSms(egress, patch, after, { showsMessages }, fail);
  await requirePasskeyDomain(patch, after, fail);
}

const MFA_SETTINGS = ['require_mfa', 'require_mfa_role'] as const;

/**
 * Before the default tenant requires a verified identifier, requires the caller to have one, so that the caller can
 * always log in.
 */
export async function requireVerifiedCaller(
  tx: TenantTx,
  caller: Caller,
  before: TenantConfig,
  after: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  if (!after.require_verified_identifier || before.require_verified_identifier) return;
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === tx.tenantId;
  const isVerified = isDirect && (await findVerification(tx, caller.subject)).hasVerified;
  if (isVerified) return;
  const message =
    'can only be set by an administrator who has a verified identifier: verify one at /me/identifiers';
  const path = '/config/require_verified_identifier';
  fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}

/** Before logins to the default tenant require a passkey, requires the caller to have logged in with one. */
export function requirePasskeyOfCaller(
  tx: TenantTx,
  caller: Caller,
  { allowed_login_methods: before }: TenantConfig,
  { allowed_login_methods: after }: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const needsPasskey = (methods: TenantConfig['allowed_login_methods']) =>
    !methods.includes('password') && !methods.includes('magic_link');
  if (!needsPasskey(after) || needsPasskey(before)) return;
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === tx.tenantId;
  if (isDirect && isFresh(caller.claims, { acr: 'phr' }, 0)) return;
  const message =
    'can only be set to passkeys by an administrator who signed in with one: add it at /me/factors, and sign in again';
  fail('VALIDATION_FAILED', { errors: [{ path: '/config/allowed_login_methods', message }] });
}

/**
 * Before the default tenant requires a second factor, requires the caller to have logged in with one, and ensures
 * that one lost phone cannot lock out every system administrator.
 */
export async function requireAdministrable(
  tx: TenantTx,
  caller: Caller,
  before: TenantConfig,
  after: TenantConfig,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const field = MFA_SETTINGS.find((name) => after[name] && after[name] !== before[name]);
  if (!field) return;
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: `/config/${field}`, message }] });
  const isDirect = caller.kind === 'user' && caller.claims.tenant_id === tx.tenantId;
  if (!isDirect || !isFresh(caller.claims, { acr: 'aal2' }, 0)) {
    refuse(
      'can only be set by an administrator who signed in with a second factor: add one at /me/factors, and sign in again',
    );
  }
  if (!(await hasAnotherWay(tx, caller.subject as UserId, SYSTEM_ADMIN))) {
    refuse(
      'requires that you have recovery codes, or that another active system administrator has a second factor: otherwise one lost device could lock out all administrators',
    );
  }
}

export const PASSKEYS_IN_USE =
  'Users have passkeys that are bound to the previous domain, and would stop working. Send force=true to change it anyway; dry_run=true shows how many users have them.';

interface Changed {
  readonly config?: TenantConfigPatch | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly issuer?: string | null | undefined;
}

type Named = Pick<TenantRecord, 'issuer' | 'config' | 'domains'>;

/**
 * Rejects a passkey domain that is not the tenant's, because browsers would let every page below it request the
 * passkeys. Only a system administrator sets the domains and the issuer from which it can be derived.
 */
async function requirePasskeyDomain(
  { config, domains, issuer }: Changed,
  after: Named,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const { passkey_rp_id: id } = after.config;
  const isTouched = config?.passkey_rp_id ?? domains ?? issuer;
  if (id === null || isTouched === undefined) return;
  const hosts = [...after.domains, new URL(after.issuer).hostname];
  if (hosts.includes(id)) return;
  const isParent = hosts.some((host) => host.endsWith(`.${id}`));
  if (isParent && (await isRegistrable(id))) return;
  const message = isParent
    ? 'is a public suffix, where anyone can register names'
    : 'must be a domain of the tenant or the host of its issuer, or a parent domain of one of them';
  fail('VALIDATION_FAILED', { errors: [{ path: '/config/passkey_rp_id', message }] });
}

/** Whether the domain has an owner (https://publicsuffix.org). The list is loaded on first use. */
async function isRegistrable(domain: string): Promise<boolean> {
  const { getDomain } = await import('tldts');
  return getDomain(domain, { allowPrivateDomains: true }) !== null;
}

/** Returns the domain to which passkeys are bound after a change; undefined if it does not change. */
export function newPasskeyDomain(before: Named, after: Named): string | undefined {
  const [old, next] = [relyingPartyOf(before), relyingPartyOf(after)];
  // Without a domain, existing passkeys cannot be used either.
  return old?.id === next?.id ? undefined : (next?.id ?? '');
}
