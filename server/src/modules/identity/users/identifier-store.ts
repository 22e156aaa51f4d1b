import type { UserId, IdentityProviderId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TenantTx, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** What of a user is verified. */
interface Verification {
  readonly hasVerified: boolean;
  /** The e-mail address that a message would be sent to. */
  readonly address: string | undefined;
}

export async function findVerification(tx: TenantTx, userId: UserId): Promise<Verification> {
  const identifiers = await tx.db
    .selectFrom('user_identifiers')
    .select(['type', 'identifier', 'verified'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute();
  return {
    hasVerified: identifiers.some(({ verified }) => verified),
    address: identifiers.find(({ type }) => type === 'email')?.identifier,
  };
}

/**
 * The user, if the tenant requires a verified identifier and they have none. Only a tenant with
 * `require_verified_identifier` costs a statement.
 */
export async function findUnverified(
  tenant: TenantData,
  { require_verified_identifier: requires }: Pick<TenantConfig, 'require_verified_identifier'>,
  userId: UserId,
): Promise<Pick<Verification, 'address'> | undefined> {
  if (!requires) return undefined;
  const { hasVerified, address } = await tenant.transaction((tx) => findVerification(tx, userId));
  return hasVerified ? undefined : { address };
}

type Captures = Pick<Tenant, 'providers'>;

/** The provider that captured the domain of an email address: users of the domain sign in only there. */
export function captorOf(
  { providers }: Captures,
  identifier: string,
): IdentityProviderId | undefined {
  if (!identifier.includes('@')) return undefined;
  const domain = identifier.slice(identifier.lastIndexOf('@') + 1);
  return providers.find(({ captures }) => captures?.includes(domain))?.id;
}

/** All captured domains. */
export function capturedDomains({ providers }: Captures): string[] {
  return providers.flatMap(({ captures }) => captures ?? []);
}

/** An email address of a user, and the provider that captured its domain. */
interface Captured {
  readonly address: string;
  readonly captor: IdentityProviderId;
}

async function findCaptured(
  tx: TenantTx,
  tenant: Captures,
  userId: UserId,
): Promise<readonly Captured[]> {
  const rows = await tx.db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .orderBy('position')
    .execute();
  return rows.flatMap(({ identifier: address }) => {
    const captor = captorOf(tenant, address);
    return captor ? [{ address, captor }] : [];
  });
}

/** The providers that captured domains of a user's email addresses. One must vouch for the user; empty: any login method. */
export async function findCaptorsOf(
  tx: TenantTx,
  tenant: Captures,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  return (await findCaptured(tx, tenant, userId)).map(({ captor }) => captor);
}

/** The same outside a transaction. It costs no statement in a tenant without captured domains. */
export async function findCaptors(
  data: TenantData,
  tenant: Captures,
  userId: UserId,
): Promise<IdentityProviderId[]> {
  if (capturedDomains(tenant).length === 0) return [];
  return data.transaction((tx) => findCaptorsOf(tx, tenant, userId));
}

/**
 * The address that a step-up starts with: with another one, the user would be asked for proofs that do not count. It costs
 * no statement in a tenant without captured domains.
 */
export async function findCapturedAddress(
  data: TenantData,
  tenant: Captures,
  userId: UserId,
): Promise<string | undefined> {
  if (capturedDomains(tenant).length === 0) return undefined;
  const [captured] = await data.transaction((tx) => findCaptured(tx, tenant, userId));
  return captured?.address;
}

/** How the user of a session signed in. */
interface Login {
  readonly user_id: UserId;
  /** Null: through no provider. */
  readonly provider_id: IdentityProviderId | null;
}

/**
 * An address of the user in a captured domain, if no captor vouched for them: today their login would not be accepted. It
 * costs a statement only in tenants with captured domains, for logins through another provider or none.
 */
export async function findBarredAddress(
  data: TenantData,
  tenant: Captures,
  { user_id: userId, provider_id: provider }: Login,
): Promise<string | undefined> {
  const captors = tenant.providers.filter(({ captures = [] }) => captures.length > 0);
  if (captors.every(({ id }) => id === provider)) return undefined;
  const captured = await data.transaction((tx) => findCaptured(tx, tenant, userId));
  return captured.some(({ captor }) => captor === provider) ? undefined : captured[0]?.address;
}
