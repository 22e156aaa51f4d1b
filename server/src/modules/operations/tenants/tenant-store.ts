import type { SystemWork } from '@keywright/contract/audit';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import type { getTenantDependents } from '@keywright/contract/routes/tenants';
import { sql } from 'kysely';
import { createTenant } from '../../../../sql/operations/kw_create_tenant.ts';
import { listTenants } from '../../../../sql/operations/kw_list_tenants.ts';
import { callAcross } from '../../../platform/db/calls.ts';
import { COUNT_UP_TO, type Page, countUpToLimit, pageOf } from '../../../platform/db/page.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import { from, type SystemData, type SystemTx, type TenantTx } from '../../../tenancy/gate.ts';
import type { WrappedKey } from '../../../tenancy/store.ts';
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
  /** The first audit log entry of the tenant, as JSON. */
  readonly entries: string;
}

/** The outcomes of creating a tenant. The transaction must be rolled back unless it succeeded. */
const OUTCOMES = ['created', 'slug_taken', 'domain_taken'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** An open transaction, or the parameters of a separate transaction across tenants in one round trip. */
export type Into =
  | SystemTx
  | {
      readonly system: SystemData;
      readonly by: Caller | SystemActor;
      readonly reason: SystemWork;
    };

/**
 * Writes a complete tenant.
 * @returns the master key with which to wrap the data key, if it has changed; then nothing was written
 */
export async function insertTenant(
  into: Into,
  tenant: NewTenantRow,
  dataKey: WrappedKey,
): Promise<Outcome | { readonly masterKeyId: string }> {
  const { id, name, settings, signingKey, roles, domains: newDomains, now, entries } = tenant;
  const parameters = {
    tenant: id,
    name,
    settings: JSON.stringify(settings),
    wrappedKey: dataKey.wrapped_key,
    masterKeyId: dataKey.master_key_id,
    kid: signingKey.id,
    publicKey: signingKey.publicKey,
    privateKey: signingKey.privateKey,
    roles: JSON.stringify(roles),
    domains: newDomains,
    now,
    entries,
  };
  const remembered = 'system' in into ? into.system : into.hooks;
  try {
    const [row] = await ('system' in into
      ? into.system.call(into.by, into.reason, createTenant, parameters)
      : callAcross(into, createTenant, parameters));
    const masterKeyId = row?.answer ?? null;
    return masterKeyId === null ? 'created' : { masterKeyId };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    throw error;
  } finally {
    remembered.changed(id);
  }
}

/** The SQLSTATE of a failed creation. The error message is the outcome. */
const REFUSED = 'KW001';

function refusalOf(error: unknown): Outcome | undefined {
  const isRefusal = error instanceof Error && 'code' in error && error.code === REFUSED;
  return isRefusal ? OUTCOMES.find((outcome) => outcome === error.message) : undefined;
}

/** Sets the tenant's domains to exactly these. @returns false if one belongs to another tenant */
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
  const stored = await tx.db
    .selectFrom('tenant_domains')
    .select('domain')
    .where('tenant_id', '=', id)
    .execute();
  return stored.length === domains.length;
}

/** Returns the domains that belong to other tenants. */
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

/** Adds the columns that responses contain. */
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

/** Locks a tenant until the commit. */
export function lockTenant(tx: SystemTx, id: TenantId) {
  return withParts(tenants(tx)).where('t.tenant_id', '=', id).forUpdate('t').executeTakeFirst();
}

/**
 * Returns a page, plus one row if there are more, in one round trip of work across tenants. An index alone finds the
 * tenants of the page, and only their rows are read.
 */
export async function findTenants(
  system: SystemData,
  by: Caller,
  { descending, after, offset, limit }: Page,
): Promise<{ readonly rows: TenantDetails[]; readonly counted: number }> {
  const [answer] = await system.call(by, 'list tenants', listTenants, {
    descending,
    moment: after?.value ?? (descending ? 'infinity' : '-infinity'),
    id: after?.id ?? '',
    skip: offset,
    limit: limit + 1,
    countUpTo: COUNT_UP_TO,
  });
  const rows = (answer?.tenants ?? []).map(
    ([id, name, config, branding, messaging, issuer, isActive, createdAt, tenantDomains]) => ({
      id,
      name,
      config,
      branding,
      messaging,
      issuer,
      is_active: isActive,
      created_at: new Date(createdAt),
      domains: tenantDomains,
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

interface TenantFilters {
  /** Part of the name, the ID or a domain. */
  readonly search?: string | undefined;
  readonly isActive?: boolean | undefined;
}

/** Returns a page of the matching tenants, plus one row if there are more. Examines every tenant. */
export function searchTenants(
  system: SystemData,
  by: Caller,
  page: Page,
  filters: TenantFilters,
): Promise<{ readonly rows: TenantDetails[]; readonly counted: number }> {
  return system.run(by, 'search tenants', async (tx) => ({
    rows: await pageOf(withParts(matching(tx, filters)), page, BY_AGE).execute(),
    counted: await countUpToLimit(tx, matching(tx, filters).select('t.tenant_id')),
  }));
}

const BY_AGE = { by: sql.ref('t.created_at'), id: sql.ref('t.tenant_id') };

function matching(tx: SystemTx, { search, isActive }: TenantFilters) {
  return tenants(tx)
    .$if(isActive !== undefined, (all) => all.where('t.is_active', '=', isActive === true))
    .$if(search !== undefined, (all) => all.where(contains(search ?? '')));
}

function contains(part: string) {
  return sql<boolean>`(
    strpos(lower(t.name), lower(${part})) > 0 OR strpos(t.tenant_id, lower(${part})) > 0 OR EXISTS (
      SELECT FROM tenant_domains d
       WHERE d.tenant_id = t.tenant_id AND strpos(d.domain, lower(${part})) > 0))`;
}

/** Whether the user has recovery codes, or another active user with this role has a second factor. */
export async function hasAnotherWay(
  { db, tenantId }: TenantTx,
  userId: UserId,
  role: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId} AND f.type = 'recovery_codes'
      ) OR EXISTS (
        SELECT FROM user_roles held JOIN users u ON u.tenant_id = held.tenant_id AND u.id = held.user_id
         WHERE held.tenant_id = ${tenantId} AND held.role = ${role} AND u.id <> ${userId} AND u.is_active
           AND u.has_second_factor
      ) AS found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Counts the active users with passkeys that are bound to a domain other than the new one. `rpId` is undefined if the
 * domain does not change.
 */
export async function countLost(tx: TenantTx, rpId: string | undefined): Promise<number> {
  if (rpId === undefined) return 0;
  const { rows } = await sql<{ users: number }>`
    SELECT count(DISTINCT f.user_id)::integer AS users FROM user_factors f
      JOIN users u ON u.tenant_id = f.tenant_id AND u.id = f.user_id AND u.is_active
     WHERE f.tenant_id = ${tx.tenantId} AND f.type = 'passkey' AND f.rp_id <> ${rpId}`.execute(
    tx.db,
  );
  return rows[0]?.users ?? 0;
}

/** Whether logins can use an identity provider. */
export async function hasActiveProvider(tx: TenantTx): Promise<boolean> {
  const row = await from(tx, 'identity_providers')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type Counted = 'users' | 'workspaces' | 'agents' | 'oauth_clients' | 'webhooks' | 'audit_entries';

/** Counts the dependents of each kind; undefined if the tenant does not exist. */
export async function findTenantDependents(
  tx: SystemTx,
  id: TenantId,
): Promise<OkOf<typeof getTenantDependents> | undefined> {
  if (!(await findTenant(tx, id))) return undefined;
  const { db } = tx;
  const of = (table: Counted) =>
    db.selectFrom(table).where('tenant_id', '=', id).select('tenant_id');
  const live = db
    .selectFrom('sessions')
    .where('tenant_id', '=', id)
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .select('id');
  const keys = db
    .selectFrom('api_keys')
    .where('tenant_id', '=', id)
    .where('revoked_at', 'is', null)
    .select('id');
  return {
    tenant_id: id,
    users: await countUpToLimit(tx, of('users')),
    sessions: await countUpToLimit(tx, live),
    workspaces: await countUpToLimit(tx, of('workspaces')),
    agents: await countUpToLimit(tx, of('agents')),
    api_keys: await countUpToLimit(tx, keys),
    clients: await countUpToLimit(tx, of('oauth_clients')),
    webhooks: await countUpToLimit(tx, of('webhooks')),
    audit_entries: await countUpToLimit(tx, of('audit_entries')),
  };
}
