// What a tenant requires of the logins of a user.

import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Verification, findEmailAddresses, findVerification } from './identifier-store.ts';
import { isEnrolledFactorMissing, findRolesNamed, findScopesAndRole } from './role-store.ts';

/**
 * The address of a user who has no verified identifier although the tenant requires one. Only tenants with
 * `require_verified_identifier` need a statement.
 * @returns undefined if the user meets the requirement
 */
export async function findUnverified(
  tenant: TenantData,
  { require_verified_identifier: isRequired }: Pick<TenantConfig, 'require_verified_identifier'>,
  userId: UserId,
): Promise<Pick<Verification, 'address'> | undefined> {
  if (!isRequired) return undefined;
  const { hasVerified, address } = await tenant.transaction((tx) => findVerification(tx, userId));
  return hasVerified ? undefined : { address };
}

type Captures = Pick<Tenant, 'providers'>;

/** The provider that captured the domain of an email address. Users of the domain can sign in only there. */
export function captorOf(
  { providers }: Captures,
  identifier: string,
): IdentityProviderId | undefined {
  if (!identifier.includes('@')) return undefined;
  const domain = identifier.slice(identifier.lastIndexOf('@') + 1);
  return providers.find(({ captures }) => captures?.includes(domain))?.id;
}

export function capturedDomains({ providers }: Captures): string[] {
  return providers.flatMap(({ captures }) => captures ?? []);
}

/** An email address of a user, with the provider that captured its domain. */
interface CapturedAddress {
  readonly address: string;
  readonly captor: IdentityProviderId;
}

async function findCapturedAddresses(
  tx: TenantTx,
  tenant: Captures,
  userId: UserId,
): Promise<readonly CapturedAddress[]> {
  return (await findEmailAddresses(tx, userId)).flatMap((address) => {
    const captor = captorOf(tenant, address);
    return captor ? [{ address, captor }] : [];
  });
}

/** The captors of a user's email domains. At least one must vouch for the user; if empty, any login method counts. */
export async function findCaptorsOf(
  tx: TenantTx,
  tenant: Captures,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  return (await findCapturedAddresses(tx, tenant, userId)).map(({ captor }) => captor);
}

/** `findCaptorsOf` outside a transaction. Tenants without captured domains need no statement. */
export async function findCaptors(
  data: TenantData,
  tenant: Captures,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  return data.transaction((tx) => findCaptorsOf(tx, tenant, userId));
}

/**
 * The address with which a step-up starts. With another one, the user would be asked for proofs that do not count.
 * Tenants without captured domains need no statement.
 */
export async function findCapturedAddress(
  data: TenantData,
  tenant: Captures,
  userId: UserId,
): Promise<string | undefined> {
  if (capturedDomains(tenant).length === 0) return undefined;
  const [captured] = await data.transaction((tx) => findCapturedAddresses(tx, tenant, userId));
  return captured?.address;
}

/** How the user of a session signed in. */
interface Login {
  readonly user_id: UserId;
  /** Null: without a provider. */
  readonly provider_id: IdentityProviderId | null;
}

/**
 * An address of the user in a captured domain, if no captor vouched for them: the login would now be rejected. Only
 * tenants with captured domains need a statement, for logins through another provider or without one.
 */
export async function findBarredAddress(
  data: TenantData,
  tenant: Captures,
  { user_id: userId, provider_id: provider }: Login,
): Promise<string | undefined> {
  const captors = tenant.providers.filter(({ captures = [] }) => captures.length > 0);
  if (captors.every(({ id }) => id === provider)) return undefined;
  const captured = await data.transaction((tx) => findCapturedAddresses(tx, tenant, userId));
  return captured.some(({ captor }) => captor === provider) ? undefined : captured[0]?.address;
}

/**
 * Whether a tenant requires a second factor from a user. Only tenants with `require_mfa_role` need a statement.
 * @param userId undefined for a new user, who has no scopes
 * @param gains the roles that the login assigns
 */
export async function requiresSecondFactor(
  tenant: TenantData,
  { require_mfa: ofAll, require_mfa_role: role }: TenantConfig,
  userId: UserId | undefined,
  gains: readonly string[] = [],
): Promise<boolean> {
  if (ofAll || role === null) return ofAll;
  const { granted, required } = await findScopesAndRole(tenant, userId, role);
  if (required === null) return true;
  const gained =
    gains.length > 0 ? await tenant.transaction((tx) => findRolesNamed(tx, gains)) : [];
  const scopes = [...granted, ...gained.flatMap((gainedRole) => gainedRole.scopes)];
  return missingScopes(scopes, required).length === 0;
}

// Whether the tenant would accept an earlier login today.

type LoginMethod = TenantConfig['allowed_login_methods'][number];

/**
 * The login method of each first factor by its name (RFC 8176 §2). `otp` is not a first factor: a code by SMS is also
 * named `sms`, and the code of an authenticator is a second factor.
 */
const METHOD_OF: Readonly<Record<string, LoginMethod>> = {
  pwd: 'password',
  email: 'magic_link',
  sms: 'magic_link',
  fed: 'oauth',
  pop: 'passkey',
};

const ALL_METHODS = new Set(Object.values(METHOD_OF));

/** Whether sessions of the tenant can violate its policy. For other tenants, checking sessions costs nothing. */
export function hasRequirements(config: TenantConfig): boolean {
  const { allowed_login_methods: allowed, require_mfa, require_mfa_role } = config;
  const requires = require_mfa || require_mfa_role !== null || config.require_verified_identifier;
  return requires || allowed.length < ALL_METHODS.size;
}

interface Authentication {
  readonly acr: Acr;
  readonly amr: readonly string[];
}

/** Whether a login with these methods, at this level, would be accepted. */
export function isAccepted(
  { acr, amr }: Authentication,
  config: TenantConfig,
  needsSecondFactor: boolean,
): boolean {
  if (needsSecondFactor && acr === 'aal1' && !isSecondByMail(amr, config)) return false;
  const accepted = acceptedNames(config);
  return amr.some((name) => accepted.includes(name));
}

/** Whether email in addition to another factor satisfies the tenant, which chose it. The login remains aal1. */
function isSecondByMail(
  amr: readonly string[],
  { mfa_methods: accepted }: Pick<TenantConfig, 'mfa_methods'>,
): boolean {
  const isOther = (name: string) => name !== 'email' && Object.hasOwn(METHOD_OF, name);
  return accepted.includes('email') && amr.includes('email') && amr.some(isOther);
}

/** Returns the names of accepted first factors: an accepted login has one of them in its `amr`. */
export function acceptedNames({ allowed_login_methods: allowed }: TenantConfig): string[] {
  return Object.keys(METHOD_OF).filter((name) => allowed.includes(METHOD_OF[name] as LoginMethod));
}

/** Whether a login can count as two factors only by a provider's claim. A code by SMS is not the user's own factor. */
export function restsOnProvider({ acr, amr }: Authentication): boolean {
  const hasEnrolledFactor =
    amr.includes('recovery') || (amr.includes('otp') && !amr.includes('sms'));
  return acr === 'aal2' && amr.includes('fed') && !hasEnrolledFactor;
}

/**
 * Whether a login counts as two factors only by a provider's claim, although its user now has permissions and a
 * second factor of their own. Only logins that rely on a provider cost a query.
 */
export async function lacksEnrolledFactor(
  data: TenantData,
  login: Authentication & Pick<Login, 'user_id'>,
): Promise<boolean> {
  return restsOnProvider(login) && isEnrolledFactorMissing(data, login);
}

/** Whether the tenant would accept a login today. */
export async function isGoodEnough(
  data: TenantData,
  tenant: Tenant,
  row: Authentication & Login,
): Promise<boolean> {
  const { config } = tenant;
  if ((await findBarredAddress(data, tenant, row)) !== undefined) return false;
  if (await lacksEnrolledFactor(data, row)) return false;
  if (!hasRequirements(config)) return true;
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  if (await findUnverified(data, config, row.user_id)) return false;
  return isAccepted(row, config, requires);
}
