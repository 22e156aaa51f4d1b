import type { Identifier } from '@keywright/contract/identifiers';
import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { deleteFrom, from, type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

export interface NewIdentifier extends Identifier {
  readonly verified: boolean;
}

/** Assigns these identifiers to a user, in this order. @returns false if another user has one of them */
export async function insertIdentifiers(
  tx: TenantTx,
  userId: UserId,
  list: readonly NewIdentifier[],
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_identifiers')
    .values(
      list.map(({ type, identifier, verified }, position) => ({
        tenant_id: tx.tenantId,
        user_id: userId,
        type,
        identifier,
        verified,
        position,
      })),
    )
    .onConflict((conflict) => conflict.columns(['tenant_id', 'identifier']).doNothing())
    .returning('identifier')
    .execute();
  return inserted.length === list.length;
}

/** Replaces the identifiers of a locked user. @returns false if another user has one of them */
export async function replaceIdentifiers(
  tx: TenantTx,
  userId: UserId,
  list: readonly NewIdentifier[],
): Promise<boolean> {
  await deleteFrom(tx, 'user_identifiers').where('user_id', '=', userId).execute();
  await setUpdatedAt(tx, userId);
  return insertIdentifiers(tx, userId, list);
}

/** Marks an identifier of a locked user as verified. @returns false if it was verified already, or is not the user's */
export async function setVerified(
  tx: TenantTx,
  userId: UserId,
  identifier: string,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'user_identifiers')
    .set({ verified: true })
    .where('user_id', '=', userId)
    .where('identifier', '=', identifier)
    .where('verified', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await setUpdatedAt(tx, userId);
  return true;
}

/** Updates `updated_at`, which applications receive in the claims of a user. */
async function setUpdatedAt(tx: TenantTx, userId: UserId): Promise<void> {
  await update(tx, 'users').set({ updated_at: tx.now }).where('id', '=', userId).execute();
}

/** Deletes the undos of earlier identifier changes, so that a decision of an administrator cannot be undone by them. */
export async function forgetUndos(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'identifier_undos').where('user_id', '=', userId).execute();
}

interface Verification {
  readonly hasVerified: boolean;
  /** The email address to which a message would be sent. */
  readonly address: string | undefined;
}

export async function findVerification(tx: TenantTx, userId: UserId): Promise<Verification> {
  const identifiers = await from(tx, 'user_identifiers')
    .select(['type', 'identifier', 'verified'])
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute();
  return {
    hasVerified: identifiers.some(({ verified }) => verified),
    address: identifiers.find(({ type }) => type === 'email')?.identifier,
  };
}

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
  const rows = await from(tx, 'user_identifiers')
    .select('identifier')
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .orderBy('position')
    .execute();
  return rows.flatMap(({ identifier: address }) => {
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
