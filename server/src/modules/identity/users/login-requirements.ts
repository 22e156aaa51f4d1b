// What a tenant requires of the logins of a user.

import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Verification, findEmailAddresses, findVerification } from './identifier-store.ts';
import { findRolesNamed, findScopesAndRole } from './user-role-store.ts';

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
  const { held, required } = await findScopesAndRole(tenant, userId, role);
  if (required === null) return true;
  const gained =
    gains.length > 0 ? await tenant.transaction((tx) => findRolesNamed(tx, gains)) : [];
  const scopes = [...held, ...gained.flatMap((one) => one.scopes)];
  return missingScopes(scopes, required).length === 0;
}
