import { randomInt } from 'node:crypto';
import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';
import { type Provider, type ProviderSettings, settingsOf } from './provider-settings.ts';

function providers(tx: TenantTx) {
  return from(tx, 'identity_providers');
}

export function findProvider(tx: TenantTx, id: IdentityProviderId) {
  return providers(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findProvider>>>;

/** The provider, with the fields that a login uses. */
export function providerOf(row: ProviderRow): Provider {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    type: row.type,
    name: row.name,
    clientId: row.client_id,
    clientSecret: row.client_secret,
    settings: settingsOf(row.type, row.settings),
    version: row.version,
  };
}

/** Finds the provider and locks it until the commit. */
export function lockProvider(
  tx: TenantTx,
  id: IdentityProviderId,
): Promise<ProviderRow | undefined> {
  return providers(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Finds the provider and prevents changes to it until the commit. */
export function lockProviderForShare(
  tx: TenantTx,
  id: IdentityProviderId,
): Promise<ProviderRow | undefined> {
  return providers(tx).selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Finds a page of providers, plus one row if there are more. */
export function findProviders(tx: TenantTx, page: Page): Promise<ProviderRow[]> {
  return pageOf(providers(tx).selectAll(), page).execute();
}

export function countProviders(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, providers(tx).select('id'));
}

/** Leaves room for changes in an `integer`. */
const MAX_FIRST_VERSION = 2 ** 30;

interface StoredProvider {
  readonly name: string;
  readonly clientId: string;
  /** Sealed. */
  readonly clientSecret: Buffer | null;
  readonly settings: ProviderSettings;
  readonly isActive: boolean;
}

interface NewProvider extends StoredProvider {
  readonly id: IdentityProviderId;
  readonly type: Provider['type'];
}

export function insertProvider(tx: TenantTx, provider: NewProvider): Promise<ProviderRow> {
  return tx.db
    .insertInto('identity_providers')
    .values({
      tenant_id: tx.tenantId,
      id: provider.id,
      type: provider.type,
      ...columnsOf(provider),
      // Not that of a deleted provider with the same ID, whose test could still be running.
      version: randomInt(MAX_FIRST_VERSION),
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @param isNewVersion whether a setting that a login depends on has changed, so that it needs another test */
export function replaceProvider(
  tx: TenantTx,
  id: IdentityProviderId,
  provider: StoredProvider,
  isNewVersion: boolean,
): Promise<ProviderRow> {
  return update(tx, 'identity_providers')
    .set(columnsOf(provider))
    .$if(isNewVersion, (query) =>
      query.set((eb) => ({ version: eb('version', '+', 1), tested_at: null })),
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Records an accepted test of this version. @returns its time; undefined if the settings have changed since it started */
export async function markTested(
  tx: TenantTx,
  id: IdentityProviderId,
  version: number,
): Promise<Date | undefined> {
  const row = await update(tx, 'identity_providers')
    .set({ tested_at: tx.now })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('tested_at')
    .executeTakeFirst();
  return row?.tested_at ?? undefined;
}

function columnsOf({ name, clientId, clientSecret, settings, isActive }: StoredProvider) {
  return {
    name,
    client_id: clientId,
    client_secret: clientSecret,
    settings: JSON.stringify(settings),
    is_active: isActive,
  };
}

/** Whether an application accepts assertions of the provider. */
export async function isNamedByClient(tx: TenantTx, id: IdentityProviderId): Promise<boolean> {
  const row = await from(tx, 'oauth_clients')
    .select('id')
    .where(sql<boolean>`identity_assertions->'providers' ? ${id}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether it existed */
export async function deleteProvider(tx: TenantTx, id: IdentityProviderId): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'identity_providers')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const CAPTURES = sql<string[] | null>`(
  SELECT array_agg(d.domain ORDER BY d.domain) FROM provider_domains d
   WHERE d.tenant_id = identity_providers.tenant_id AND d.provider_id = identity_providers.id
     AND d.verified_at IS NOT NULL)`;

/**
 * Must be called after a change, because nodes load the active providers with the tenant.
 * @returns how many are active
 */
export async function updateActiveProviders(tx: TenantTx): Promise<number> {
  const active = await providers(tx)
    .select(['id', 'type', 'name', CAPTURES.as('captures')])
    .select(sql<boolean>`settings @> '{"trust_mfa": true}'`.as('trusts_mfa'))
    .where('is_active', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const loaded = active.map(({ captures, trusts_mfa, ...provider }) => ({
    ...provider,
    ...(captures && { captures }),
    ...(trusts_mfa && { trusts_mfa }),
  }));
  const shown = active.length === 0 ? null : sql<string>`${JSON.stringify(loaded)}::jsonb`;
  await update(tx, 'tenants').set({ identity_providers: shown }).execute();
  tx.changed();
  return active.length;
}

/**
 * Locks the tenant's login methods until the commit. Must be called before its providers change, to serialize changes.
 */
export async function lockLoginMethods(
  tx: TenantTx,
): Promise<TenantConfig['allowed_login_methods'] | undefined> {
  const row = await from(tx, 'tenants').select('config').forNoKeyUpdate().executeTakeFirst();
  return row?.config.allowed_login_methods;
}

function domains(tx: TenantTx) {
  return from(tx, 'provider_domains');
}

export function findDomain(tx: TenantTx, domain: string) {
  return domains(tx).selectAll().where('domain', '=', domain).executeTakeFirst();
}

export type DomainRow = NonNullable<Awaited<ReturnType<typeof findDomain>>>;

export function findDomainsOf(tx: TenantTx, provider: IdentityProviderId): Promise<DomainRow[]> {
  return domains(tx).selectAll().where('provider_id', '=', provider).orderBy('domain').execute();
}

/** @returns undefined if the tenant already has the domain */
export function insertDomain(
  tx: TenantTx,
  { provider, domain, challenge }: NewDomain,
): Promise<DomainRow | undefined> {
  return tx.db
    .insertInto('provider_domains')
    .values({
      tenant_id: tx.tenantId,
      domain,
      provider_id: provider,
      challenge,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'domain']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

interface NewDomain {
  readonly provider: IdentityProviderId;
  readonly domain: string;
  readonly challenge: string;
}

/** @returns undefined if the domain was removed, or added again, since its challenge was read */
export function markVerified(
  tx: TenantTx,
  { domain, provider_id: provider, challenge }: DomainRow,
): Promise<DomainRow | undefined> {
  return update(tx, 'provider_domains')
    .set({ verified_at: tx.now })
    .where('domain', '=', domain)
    .where('provider_id', '=', provider)
    .where('challenge', '=', challenge)
    .where('verified_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** @returns whether the provider had the domain */
export async function deleteDomain(
  tx: TenantTx,
  provider: IdentityProviderId,
  domain: string,
): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'provider_domains')
    .where('provider_id', '=', provider)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The identities of a user, in the order of their providers. */
export async function findIdentities(tx: TenantTx, userId: UserId): Promise<IdentityRecord[]> {
  const rows = await from(tx, 'user_credentials as c')
    .innerJoin('identity_providers as p', (join) =>
      join.onRef('p.tenant_id', '=', 'c.tenant_id').onRef('p.id', '=', 'c.provider'),
    )
    .select(['p.id', 'p.type', 'p.name', 'p.is_active'])
    .where('c.user_id', '=', userId)
    .where('c.type', '=', 'oauth')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
  return rows.map((row) => ({
    provider_id: row.id,
    tenant_id: tx.tenantId,
    type: row.type,
    name: row.name,
    is_active: row.is_active,
  }));
}
