import type { OAuthResourceId } from '@keywright/contract/ids';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import { sql } from 'kysely';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { ResourceFields } from './resource-rules.ts';

function resources(tx: TenantTx) {
  return from(tx, 'oauth_resources');
}

export function findResource(tx: TenantTx, id: OAuthResourceId) {
  return resources(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type ResourceRow = NonNullable<Awaited<ReturnType<typeof findResource>>>;

/** Locked until the commit. */
export function lockResource(tx: TenantTx, id: OAuthResourceId): Promise<ResourceRow | undefined> {
  return resources(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function listAll(tx: TenantTx): Promise<ResourceRow[]> {
  return resources(tx).selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Returns a page, plus one row if there are more. */
export function findResourcePage(tx: TenantTx, page: Page): Promise<ResourceRow[]> {
  return pageOf(resources(tx).selectAll(), page).execute();
}

export function countResources(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, resources(tx).select('id'));
}

interface NewResource extends ResourceFields {
  readonly id: OAuthResourceId;
  readonly uri: string;
}

/** @returns whether the URI was free */
export async function insertResource(
  tx: TenantTx,
  { id, uri, ...fields }: NewResource,
): Promise<boolean> {
  tx.changed();
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('oauth_resources')
    .values({ tenant_id: tx.tenantId, id, uri, ...columnsOf(fields), created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'uri']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function replaceResource(
  tx: TenantTx,
  id: OAuthResourceId,
  fields: ResourceFields,
): Promise<void> {
  tx.changed();
  await update(tx, 'oauth_resources').set(columnsOf(fields)).where('id', '=', id).execute();
}

function columnsOf({ scopes, authorization_details_types: types, ...fields }: ResourceFields) {
  return {
    ...fields,
    served_by: [...fields.served_by],
    scopes: JSON.stringify(scopes),
    authorization_details_types: JSON.stringify(types),
  };
}

/** Deletes the resource. Scopes that users granted for it lose their effect. */
export async function deleteResourceRow(tx: TenantTx, id: OAuthResourceId): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await deleteFrom(tx, 'oauth_resources')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the IDs that belong to neither an agent nor a client. */
export async function unknownServers<Id extends string>(
  tx: TenantTx,
  ids: readonly Id[],
): Promise<Id[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM agents WHERE tenant_id = ${tx.tenantId} AND id = ANY (${[...ids]})
    UNION ALL
    SELECT id FROM oauth_clients WHERE tenant_id = ${tx.tenantId} AND id = ANY (${[...ids]})`.execute(
    tx.db,
  );
  return ids.filter((id) => !rows.some((row) => row.id === id));
}

/** Returns the names that are not a scope of any resource. */
export async function unknownScopesOf(tx: TenantTx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await listAll(tx);
  const existing = new Set(rows.flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  return names.filter((name) => !existing.has(name));
}

/** Returns the permissions that resources require for scopes with these names. */
export async function findRequiredFor(tx: TenantTx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await listAll(tx);
  const scopes = rows.flatMap((row) => row.scopes);
  return scopes.flatMap(({ name, requires }) => (names.includes(name) ? (requires ?? []) : []));
}

/** Returns the authorization details types of all resources except this one. */
export async function typesElsewhere(tx: TenantTx, id: OAuthResourceId): Promise<string[]> {
  const rows = await listAll(tx);
  return rows
    .filter((row) => row.id !== id)
    .flatMap((row) => row.authorization_details_types.map(({ type }) => type));
}

/** Returns the types that no resource has. */
export async function unknownTypesOf(tx: TenantTx, types: readonly string[]): Promise<string[]> {
  if (types.length === 0) return [];
  const rows = await listAll(tx);
  const names = new Set(
    rows.flatMap((row) => row.authorization_details_types.map(({ type }) => type)),
  );
  return types.filter((type) => !names.has(type));
}

export function presentResource(row: ResourceRow): OAuthResourceRecord {
  const scopes = row.scopes;
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    uri: row.uri,
    name: row.name,
    scopes: scopes.map(({ name, description, requires }) => ({
      name,
      description,
      requires: requires ?? null,
    })),
    token_ttl: row.token_ttl,
    access_token_signing_alg: row.access_token_signing_alg,
    access_token_typ: row.access_token_typ,
    dpop_required: row.dpop_required,
    served_by: row.served_by,
    authorization_details_types: row.authorization_details_types,
    created_at: row.created_at.toISOString(),
  };
}
