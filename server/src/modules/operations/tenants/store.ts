import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { statement } from '../../../platform/db/database.ts';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import type { WrappedKey } from '../../../tenancy/store.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import type { BuiltinRole } from '../../identity/roles/index.ts';
import type { SealedSigningKey } from '../../tokens/signing-keys/index.ts';

export interface NewTenantRow {
  readonly id: TenantId;
  readonly name: string;
  readonly settings: {
    readonly config: object;
    readonly branding: object;
    readonly messaging: object;
  };
  readonly signingKey: SealedSigningKey;
  readonly roles: readonly BuiltinRole[];
  readonly domains: readonly string[];
  readonly now: Date;
  /** The first entry of its audit log, as JSON. */
  readonly entries: string;
}

/** What became of a tenant that was to be created. */
export type Outcome = 'created' | 'slug_taken' | 'domain_taken';

/** The arguments of the functions that write a tenant, in their order. */
function argumentsOf(tenant: NewTenantRow, dataKey: WrappedKey): readonly unknown[] {
  const { id, name, settings, signingKey, roles, domains: wanted, now, entries } = tenant;
  return [
    id,
    name,
    JSON.stringify(settings),
    dataKey.wrapped_key,
    dataKey.master_key_id,
    signingKey.id,
    signingKey.publicKey,
    signingKey.privateKey,
    JSON.stringify(roles),
    wanted,
    now,
    entries,
  ];
}

/** Writes a whole tenant. Unless it was created, the transaction has to be rolled back. */
export async function insertTenant(
  tx: SystemTx,
  tenant: NewTenantRow,
  dataKey: WrappedKey,
): Promise<Outcome> {
  tx.hooks.changed(tenant.id);
  const values = sql.join(argumentsOf(tenant, dataKey));
  const { rows } = await sql<{ outcome: Outcome }>`
    SELECT kw_create_tenant(${values}) AS outcome`.execute(tx.db);
  return rows[0]?.outcome ?? 'slug_taken';
}

const create = statement(
  'kw_create_tenant_alone',
  `SELECT kw_create_tenant_alone($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS master_key_id`,
);

/**
 * The same in a transaction of its own, which is rolled back unless the tenant was created.
 * @returns the master key to wrap the data key by, where it is another one by now
 */
export async function insertTenantAlone(
  system: SystemData,
  by: Caller | SystemActor,
  reason: string,
  tenant: NewTenantRow,
  dataKey: WrappedKey,
): Promise<Outcome | { readonly masterKeyId: string }> {
  try {
    const values = argumentsOf(tenant, dataKey);
    const [row] = await system.call<{ master_key_id: string | null }>(by, reason, create, values);
    const masterKeyId = row?.master_key_id ?? null;
    return masterKeyId === null ? 'created' : { masterKeyId };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    throw error;
  } finally {
    system.changed(tenant.id);
  }
}

/** SQLSTATE that the function ends with, its message being what became of the tenant. */
const REFUSED = 'KW001';

function refusalOf(error: unknown): Outcome | undefined {
  const isRefusal = error instanceof Error && 'code' in error && error.code === REFUSED;
  return isRefusal ? (error.message as Outcome) : undefined;
}

/** Gives the tenant exactly these domains. @returns false when another tenant has one of them. */
export async function replaceDomains(
  tx: SystemTx,
  id: TenantId,
  domains: readonly string[],
): Promise<boolean> {
  tx.hooks.changed(id);
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

/** Those of the domains that other tenants have. */
export async function findTakenDomains(
  tx: SystemTx,
  id: TenantId,
  domains: readonly string[],
): Promise<string[]> {
  if (domains.length === 0) return [];
  const taken = await tx.db
    .selectFrom('tenant_domains')
    .select('domain')
    .where('domain', 'in', domains)
    .where('tenant_id', '!=', id)
    .orderBy('domain')
    .execute();
  return taken.map(({ domain }) => domain);
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

const list = statement(
  'kw_list_tenants',
  'SELECT * FROM kw_list_tenants($1, $2, $3, $4, $5, $6, $7)',
);

type Json = TenantDetails['config'];

/** Rows of JSON, in the order of the columns; null where there are none. */
interface Listed {
  readonly tenants:
    | readonly [TenantId, string, Json, Json, Json, string | null, boolean, string, string[]][]
    | null;
  readonly counted: number;
}

/**
 * One page, and one row more if there is one, in one round trip: work across tenants that somebody asked for. Which
 * tenants are on it is told by the index alone; only theirs are read.
 */
export async function findTenants(
  system: SystemData,
  by: Caller,
  { descending, after, offset, limit }: Page,
): Promise<{ readonly rows: TenantDetails[]; readonly counted: number }> {
  const start = after ? [after.value, after.id] : [descending ? 'infinity' : '-infinity', ''];
  const values = [descending, ...start, offset, limit + 1, COUNT_UP_TO];
  const [answer] = await system.call<Listed>(by, 'list tenants', list, values);
  const rows = (answer?.tenants ?? []).map(
    ([id, name, config, branding, messaging, issuer, isActive, createdAt, ownDomains]) => ({
      id,
      name,
      config,
      branding,
      messaging,
      issuer,
      is_active: isActive,
      created_at: new Date(createdAt),
      domains: ownDomains,
    }),
  );
  return { rows, counted: answer?.counted ?? 0 };
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
  tx.hooks.changed(id);
  await tx.db.updateTable('tenants').set(values).where('tenant_id', '=', id).execute();
}
