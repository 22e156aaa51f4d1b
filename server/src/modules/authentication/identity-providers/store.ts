import type { IdentityProviderId } from '@keywright/contract/ids';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The settings of a provider of the type `oidc`. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

function providers(tx: TenantTx) {
  return tx.db.selectFrom('identity_providers').where('tenant_id', '=', tx.tenantId);
}

export function findProvider(tx: TenantTx, id: IdentityProviderId) {
  return providers(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findProvider>>>;

/** The provider, locked until the commit. */
export function lockProvider(
  tx: TenantTx,
  id: IdentityProviderId,
): Promise<ProviderRow | undefined> {
  return providers(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A page, plus one row if there are more. */
export function findProviders(tx: TenantTx, page: Page): Promise<ProviderRow[]> {
  return pageOf(providers(tx).selectAll(), page).execute();
}

export function countProviders(tx: TenantTx): Promise<number> {
  return countSome(tx, providers(tx).select('id'));
}

export interface StoredProvider {
  readonly name: string;
  readonly clientId: string;
  /** Sealed. */
  readonly clientSecret: Buffer | null;
  readonly settings: ProviderSettings;
  readonly isActive: boolean;
}

interface NewProvider extends StoredProvider {
  readonly id: IdentityProviderId;
  readonly type: string;
}

export function insertProvider(tx: TenantTx, one: NewProvider): Promise<ProviderRow> {
  return tx.db
    .insertInto('identity_providers')
    .values({
      tenant_id: tx.tenantId,
      id: one.id,
      type: one.type,
      ...columnsOf(one),
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function replaceProvider(
  tx: TenantTx,
  id: IdentityProviderId,
  one: StoredProvider,
): Promise<ProviderRow> {
  return tx.db
    .updateTable('identity_providers')
    .set(columnsOf(one))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
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

export async function deleteProvider(tx: TenantTx, id: IdentityProviderId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('identity_providers')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
