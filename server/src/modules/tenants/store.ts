import type { TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../platform/db/page.ts';
import type { WrappedKey } from '../../tenancy/store.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import type { BuiltinRole } from '../roles/index.ts';
import type { SealedSigningKey } from '../signing-keys/index.ts';

export interface NewTenantRow {
  readonly id: TenantId;
  readonly name: string;
  readonly settings: {
    readonly config: Partial<TenantConfig>;
    readonly branding: object;
    readonly messaging: object;
  };
  readonly dataKey: WrappedKey;
  readonly signingKey: SealedSigningKey;
  readonly roles: readonly BuiltinRole[];
  readonly domains: readonly string[];
}

/** Writes a whole tenant. Unless it was created, the transaction has to be rolled back. */
export async function insertTenant(
  tx: SystemTx,
  { id, name, settings, dataKey, signingKey, roles, domains: wanted }: NewTenantRow,
  now: Date,
): Promise<'created' | 'slug_taken' | 'domain_taken'> {
  const { rows } = await sql<{ outcome: 'created' | 'slug_taken' | 'domain_taken' }>`
    SELECT kw_create_tenant(
      ${id}, ${name}, ${JSON.stringify(settings)}::jsonb, ${dataKey.wrapped_key},
      ${dataKey.master_key_id}, ${signingKey.id}, ${signingKey.publicKey}, ${signingKey.privateKey},
      ${JSON.stringify(roles)}::jsonb, ${[...wanted]}::text[], ${now}::timestamptz
    ) AS outcome`.execute(tx.db);
  return rows[0]?.outcome ?? 'slug_taken';
}

/** Gives the tenant exactly these domains. @returns false when another tenant has one of them. */
export async function replaceDomains(
  tx: SystemTx,
  id: TenantId,
  domains: readonly string[],
): Promise<boolean> {
  await tx.db
    .deleteFrom('tenant_domains')
    .where('tenant_id', '=', id)
    .$if(domains.length > 0, (query) => query.where('domain', 'not in', domains))
    .execute();
  if (domains.length === 0) return true;
  await tx.db
    .insertInto('tenant_domains')
    .values(domains.map((domain) => ({ tenant_id: id, domain })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const own = await tx.db
    .selectFrom('tenant_domains')
    .select('domain')
    .where('tenant_id', '=', id)
    .execute();
  return own.length === domains.length;
}

/** Whether no other tenant has any of these domains. */
export async function areFreeDomains(
  tx: SystemTx,
  id: TenantId,
  domains: readonly string[],
): Promise<boolean> {
  if (domains.length === 0) return true;
  const taken = await tx.db
    .selectFrom('tenant_domains')
    .select('domain')
    .where('domain', 'in', domains)
    .where('tenant_id', '!=', id)
    .executeTakeFirst();
  return taken === undefined;
}

function tenants(tx: SystemTx) {
  return tx.db.selectFrom('tenants as t').where('t.deleted_at', 'is', null);
}

const domains = sql<string[]>`ARRAY(
  SELECT d.domain FROM tenant_domains d WHERE d.tenant_id = t.tenant_id ORDER BY d.domain)`;

function withParts(query: ReturnType<typeof tenants>) {
  return query
    .select([
      't.tenant_id as id',
      't.name',
      't.config',
      't.branding',
      't.messaging',
      't.issuer',
      't.is_active',
      't.created_at',
    ])
    .select(domains.as('domains'));
}

export function findTenant(tx: SystemTx, id: TenantId) {
  return withParts(tenants(tx)).where('t.tenant_id', '=', id).executeTakeFirst();
}

export type TenantDetails = NonNullable<Awaited<ReturnType<typeof findTenant>>>;

/** The tenant, held still until the commit. */
export function lockTenant(tx: SystemTx, id: TenantId) {
  return withParts(tenants(tx)).where('t.tenant_id', '=', id).forUpdate('t').executeTakeFirst();
}

/**
 * One page, and one row more if there is one. Which tenants are on it is told by the index alone; only theirs
 * are read.
 */
export function findTenants(tx: SystemTx, page: Page): Promise<TenantDetails[]> {
  const direction = page.descending ? 'desc' : 'asc';
  const query = tenants(tx).select(['t.tenant_id', 't.created_at']);
  const shown = pageOf(query, page, {
    by: sql.ref('t.created_at'),
    id: sql.ref('t.tenant_id'),
  });
  return withParts(tenants(tx))
    .innerJoin(shown.as('shown'), 'shown.tenant_id', 't.tenant_id')
    .orderBy('t.created_at', direction)
    .orderBy('t.tenant_id', direction)
    .execute();
}

export function countTenants(tx: SystemTx): Promise<number> {
  // In the order of the index, so that it is counted there.
  return countSome(tx, tenants(tx).select('t.tenant_id').orderBy('t.created_at'));
}

export interface TenantChange {
  readonly name?: string;
  readonly config?: object;
  readonly branding?: object;
  readonly messaging?: object;
  readonly is_active?: boolean;
  readonly issuer?: string | null;
}

export async function updateTenantRow(
  tx: SystemTx,
  id: TenantId,
  { config, branding, messaging, ...plain }: TenantChange,
): Promise<void> {
  const values = {
    ...plain,
    ...(config ? { config: JSON.stringify(config) } : {}),
    ...(branding ? { branding: JSON.stringify(branding) } : {}),
    ...(messaging ? { messaging: JSON.stringify(messaging) } : {}),
  };
  if (Object.keys(values).length === 0) return;
  await tx.db.updateTable('tenants').set(values).where('tenant_id', '=', id).execute();
}
