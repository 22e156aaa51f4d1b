import { namesAddress } from '@keywright/contract/addresses';
import { RESERVED_CLAIMS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseTenantId, type TenantId, DEFAULT_TENANT } from '@keywright/contract/ids';
import {
  MASKED_SECRET,
  type TenantConfigPatch,
  type TenantMessaging,
  type TenantMessagingPatch,
  type TenantRecord,
  WORKING_LOGIN_METHODS,
  SETTING_SCOPES,
} from '@keywright/contract/records/tenant';
import type { BodyOf } from '@keywright/contract/route';
import type { updateTenant } from '@keywright/contract/routes/tenants';
import { LOGINS, type Scope } from '@keywright/contract/scopes';
import { slugOf } from '@keywright/contract/slug';
import type { Egress } from '../../../platform/egress/egress.ts';
import {
  requireAdministrator,
  requireFresh,
  requireScopes,
} from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import { type Tenant, normalizeDomain, offersPasskeys, sendsSms } from '../../../tenancy/tenant.ts';
import { type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import { requireAsMuch, requireAsMuchAsAnyone, SYSTEM_ADMIN } from '../../identity/roles/index.ts';

/** Applies a patch to settings: null removes a setting (RFC 7396). */
export function mergeSettings(stored: unknown, patch: object): object {
  const merged = { ...(stored as object), ...patch };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/** Returns the slug in the request, or derives one from the name: lower case, ASCII, words joined by dashes. */
export function tenantIdOf(
  name: string,
  slug: string | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): TenantId {
  const message =
    'is required, because none can be derived from this name: 1 to 48 lower-case letters, digits and dashes';
  return (
    parseTenantId(`org_${slug ?? slugOf(name)}`) ??
    fail('VALIDATION_FAILED', { errors: [{ path: '/slug', message }] })
  );
}

/** Returns the domains as stored and compared, without duplicates. */
export function requireDomains(
  domains: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): string[] {
  const normalized = domains.map(
    (text, index) =>
      normalizeDomain(text) ??
      fail('VALIDATION_FAILED', {
        errors: [
          { path: `/domains/${index}`, message: 'must be a host name such as login.acme.example' },
        ],
      }),
  );
  return [...new Set(normalized)];
}

/** @param candidates domains; at least one belongs to another tenant */
export function refuseDomains(candidates: readonly string[], fail: Fail<'DOMAIN_TAKEN'>): never {
  const which =
    candidates.length === 1 ? 'This domain belongs' : 'At least one of these domains belongs';
  return fail('DOMAIN_TAKEN', {
    detail: `${which} to another tenant: ${candidates.join(', ')}.`,
  });
}

/** Rejects settings that are invalid for every tenant. */
export function requireGoodSettings(
  config: TenantConfigPatch | undefined,
  fail: Fail<'CLAIM_RESERVED' | 'VALIDATION_FAILED'>,
): void {
  requireUnreservedClaims(config, fail);
  requireOrigins(config, fail);
  requireEnterable(config, fail);
}

/** Rejects claims that are registered or that the service sets itself. */
function requireUnreservedClaims(
  config: TenantConfigPatch | undefined,
  fail: Fail<'CLAIM_RESERVED'>,
): void {
  const reserved = Object.keys(config?.custom_claims ?? {}).filter((name) =>
    RESERVED_CLAIMS.has(name),
  );
  if (reserved.length > 0) {
    fail('CLAIM_RESERVED', {
      detail: `These claims are reserved: ${reserved.join(', ')}. Choose other names.`,
    });
  }
}

/** Rejects origins that browsers never send, with a default port or another spelling of the host. */
function requireOrigins(
  config: TenantConfigPatch | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  for (const [index, text] of (config?.allowed_origins ?? []).entries()) {
    const written = URL.canParse(text) ? new URL(text).origin : undefined;
    if (written === text) continue;
    const message =
      written === undefined
        ? 'must be an origin such as https://app.example.com'
        : `must be written as browsers send it: ${written}`;
    fail('VALIDATION_FAILED', { errors: [{ path: `/config/allowed_origins/${index}`, message }] });
  }
}

/** Rejects settings that would prevent all users from logging in. */
function requireEnterable(
  config: TenantConfigPatch | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const methods = config?.allowed_login_methods;
  if (methods && !methods.some((method) => WORKING_LOGIN_METHODS.includes(method))) {
    const working = WORKING_LOGIN_METHODS.join(', ');
    const message = `must contain at least one login method that users can sign in with (${working})`;
    fail('VALIDATION_FAILED', { errors: [{ path: '/config/allowed_login_methods', message }] });
  }
}

const NO_SMS =
  'Codes by SMS cannot be a second factor (mfa_methods) without sms_countries and messaging.sms.';

/** Facilities outside the settings that logins can use. */
interface Installed {
  readonly sendsMailForAll: boolean;
  /** Whether an identity provider is active. */
  readonly hasProviders: boolean;
}

/** Rejects a change after which logins would need messages that cannot be sent, or methods that no user has. */
export function requireReady(
  { config, messaging }: { readonly config?: TenantConfigPatch; readonly messaging?: object },
  after: Pick<TenantRecord, 'config' | 'messaging' | 'issuer'>,
  { sendsMailForAll, hasProviders }: Installed,
  fail: Fail<'METHOD_NOT_READY'>,
): void {
  const isTouched =
    config?.allowed_login_methods !== undefined ||
    config?.sms_countries !== undefined ||
    config?.require_verified_identifier === true ||
    config?.mfa_methods !== undefined ||
    messaging !== undefined;
  const { smtp_host: host, from_address: sender } = after.messaging.email ?? {};
  const { allowed_login_methods: methods, mfa_methods: factors } = after.config;
  const { require_verified_identifier: verifies } = after.config;
  const needsMessages = methods.includes('magic_link') && !methods.includes('password');
  const sendsMail = sendsMailForAll || Boolean(host && sender);
  const isLacking =
    verifies || factors.includes('email') || (needsMessages && !sendsSms(after.config));
  if (isTouched && factors.includes('sms') && !sendsSms(after.config)) {
    fail('METHOD_NOT_READY', { detail: NO_SMS });
  }
  if (isTouched && isLacking && !sendsMail) fail('METHOD_NOT_READY');
  const isOpen = methods.includes('password') || methods.includes('magic_link');
  // An empty list is rejected as invalid elsewhere.
  if (!isTouched || isOpen || methods.length === 0) return;
  const isPasskeyReady = methods.includes('passkey') && offersPasskeys(after);
  if (!isPasskeyReady && !(methods.includes('oauth') && hasProviders)) fail('METHOD_NOT_READY');
}

export function refuseRole(fail: Fail<'VALIDATION_FAILED'>): never {
  const message = 'is not the name of a role of the tenant';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/config/require_mfa_role', message }] });
}

/** Settings that determine where, how and with which name a stored secret is sent, by group. */
const RECIPIENTS_OF_SECRETS = [
  ['email', 'smtp_password', ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_username']],
  ['sms', 'auth_token', ['provider', 'account_sid', 'url']],
  ['sms', 'secret', ['provider', 'url']],
] as const;

type Groups = Readonly<Record<string, Readonly<Record<string, unknown>> | null | undefined>>;

/** Requires a patch to repeat or remove a stored secret that would be sent to another server or with another name. */
export function requireSecretsAgain(
  stored: TenantMessaging,
  patch: TenantMessagingPatch | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  for (const [group, secret, fields] of RECIPIENTS_OF_SECRETS) {
    const before: Readonly<Record<string, unknown>> = stored[group] ?? {};
    const change = (patch as Groups | undefined)?.[group] ?? {};
    const isUnchanged = change[secret] === undefined || change[secret] === MASKED_SECRET;
    if (!isUnchanged || before[secret] === undefined) continue;
    // A removed setting falls back to its default, which can name another server.
    const changed = fields.find(
      (name) => change[name] !== undefined && (change[name] ?? undefined) !== before[name],
    );
    if (changed === undefined) continue;
    const message = `must be sent again when ${changed} changes`;
    fail('VALIDATION_FAILED', { errors: [{ path: `/messaging/${group}/${secret}`, message }] });
  }
}

/** Rejects an email server to which no email could be sent. Host names are resolved when an email is sent. */
export function requireReachable(
  egress: Egress,
  patch: TenantMessagingPatch | undefined,
  { email = {} }: TenantMessaging,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (!patch?.email || email.smtp_host === undefined) return;
  const objection = egress.findObjectionToServer({
    host: email.smtp_host,
    ...portAndSecurity(email),
  });
  if (objection === undefined) return;
  const message = `cannot be used. ${objection}`;
  fail('VALIDATION_FAILED', { errors: [{ path: '/messaging/email/smtp_host', message }] });
}

function portAndSecurity({ smtp_port: port = 587, smtp_security: security }: EmailSettings) {
  return { port, isPlain: security === 'none' };
}

type EmailSettings = NonNullable<TenantMessaging['email']>;

type Patch = BodyOf<typeof updateTenant>;
const TENANT = 'write:tenant';

/** The scopes that each part of a change requires. */
const SCOPES_OF_PARTS: {
  readonly [Part in keyof Patch]-?: (part: NonNullable<Patch[Part]>) => readonly Scope[];
} = {
  name: (name) => [namesAddress(name) ? LOGINS : TENANT],
  config: (config) =>
    Object.keys(config).map((setting) => SETTING_SCOPES[setting as keyof TenantConfigPatch]),
  branding: ({ company_name: name }) => [name && namesAddress(name) ? LOGINS : TENANT],
  messaging: () => [LOGINS],
  domains: () => [LOGINS],
  issuer: () => [LOGINS],
  is_active: () => [TENANT],
};

/** Returns the scopes that a change requires: `write:tenant`, `write:logins` or both. */
export function scopesOf(patch: Patch): Scope[] {
  const parts = Object.entries(patch) as [keyof Patch, never][];
  return [...new Set(parts.flatMap(([name, part]) => SCOPES_OF_PARTS[name](part)))];
}

/**
 * Checks the conditions that are known before the change: the scopes, and for changes of logins that the caller is an
 * administrator who has logged in recently, unless it is a dry run.
 * @throws AppError ADMINISTRATOR_REQUIRED, SCOPE_REQUIRED, STEP_UP_REQUIRED
 */
export function requireScopesFor(
  patch: Patch,
  tenant: Tenant,
  caller: Caller,
  { now, isDryRun }: { readonly now: Date; readonly isDryRun: boolean },
): void {
  const needed = scopesOf(patch);
  const isOfLogins = needed.includes(LOGINS);
  if (isOfLogins) requireAdministrator(caller);
  requireScopes(caller, needed);
  if (isOfLogins && !isDryRun) requireFresh(tenant, caller, now);
}

/**
 * Requires the caller to hold every scope held by users of the tenant whose logins change. System administrators do
 * so in every tenant.
 * @throws AppError SCOPE_NOT_HELD
 */
export function requireAsMuchAsUsersOf(
  tx: SystemTx,
  caller: Caller,
  id: TenantId,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (id === caller.claims.tenant_id) {
    return asTenant(tx, id, (tenantTx) => requireAsMuchAsAnyone(tenantTx, caller, fail));
  }
  const everything = [{ name: SYSTEM_ADMIN, scopes: ['*:*'] }];
  return asTenant(tx, DEFAULT_TENANT, (home) =>
    requireAsMuch(home, caller, everything, 'The logins of another tenant need', fail),
  );
}
