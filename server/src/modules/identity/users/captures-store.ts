import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { capturedDomains, captorOf } from './captures.ts';

type Captures = Pick<Tenant, 'providers'>;

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
