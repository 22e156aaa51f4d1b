import { type TenantId, type UserId, DEFAULT_TENANT } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type Database, statement } from '../../../platform/db/database.ts';
import { STORED_SETTINGS, type StoredSetting } from '../../../platform/db/session-settings.ts';
import { from, type SystemTx, type TenantTx } from '../../../tenancy/gate.ts';

export interface TenantSummary {
  readonly id: TenantId;
  readonly name: string;
  readonly domains: readonly string[];
  readonly state: 'active' | 'inactive' | 'being_deleted';
  readonly created_at: string;
}

/** A filter for tenants; by default all. */
interface TenantFilter {
  readonly id?: TenantId;
  /** Part of the name, ID or a domain, case-insensitive. */
  readonly search?: string;
  /** The tenant that precedes the page. */
  readonly after?: TenantId;
  readonly limit?: number;
}

/** Returns the tenants, oldest first. */
export async function listTenantRows(
  tx: SystemTx,
  { id, search, after, limit }: TenantFilter = {},
): Promise<TenantSummary[]> {
  let query = tx.db
    .selectFrom('tenants as t')
    .select(['t.tenant_id', 't.name', 't.is_active', 't.deleted_at', 't.created_at'])
    .select(
      sql<string[]>`ARRAY(
        SELECT d.domain FROM tenant_domains d WHERE d.tenant_id = t.tenant_id ORDER BY d.domain)`.as(
        'domains',
      ),
    )
    .orderBy('t.created_at')
    .orderBy('t.tenant_id');
  if (id !== undefined) query = query.where('t.tenant_id', '=', id);
  if (search !== undefined) query = query.where(holds(search));
  if (after !== undefined) query = query.where(follows(after));
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.tenant_id,
    name: row.name,
    domains: row.domains,
    state: row.deleted_at ? 'being_deleted' : row.is_active ? 'active' : 'inactive',
    created_at: row.created_at.toISOString(),
  }));
}

/** Does not use LIKE, because the text can contain wildcards. */
function holds(search: string) {
  return sql<boolean>`(
    strpos(lower(t.name), lower(${search})) > 0
    OR strpos(t.tenant_id, lower(${search})) > 0
    OR EXISTS (SELECT FROM tenant_domains d
                WHERE d.tenant_id = t.tenant_id AND strpos(d.domain, lower(${search})) > 0))`;
}

function follows(id: TenantId) {
  return sql<boolean>`(t.created_at, t.tenant_id) > (
    SELECT f.created_at, f.tenant_id FROM tenants f WHERE f.tenant_id = ${id})`;
}

export async function findTenantConfig(tx: SystemTx, id: TenantId): Promise<unknown> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('config')
    .where('tenant_id', '=', id)
    .executeTakeFirst();
  return row?.config;
}

/** Returns an active user with the role and the identifier, locked until the commit. */
export async function findAdministrator(
  tx: TenantTx,
  identifier: string,
  role: string,
): Promise<UserId | undefined> {
  const row = await from(tx, 'users as u')
    .innerJoin('user_identifiers as i', (join) =>
      join.onRef('i.tenant_id', '=', 'u.tenant_id').onRef('i.user_id', '=', 'u.id'),
    )
    .innerJoin('user_roles as held', (join) =>
      join.onRef('held.tenant_id', '=', 'u.tenant_id').onRef('held.user_id', '=', 'u.id'),
    )
    .select('u.id')
    .where('i.identifier', '=', identifier)
    .where('held.role', '=', role)
    .where('u.is_active', '=', true)
    .forUpdate('u')
    .executeTakeFirst();
  return row?.id;
}

/** Counts the active users with the role and a password. */
export async function countSystemAdministrators(tx: SystemTx, role: string): Promise<number> {
  const row = await tx.db
    .selectFrom('user_roles as held')
    .innerJoin('users as u', (join) =>
      join.onRef('u.tenant_id', '=', 'held.tenant_id').onRef('u.id', '=', 'held.user_id'),
    )
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('held.tenant_id', '=', DEFAULT_TENANT)
    .where('held.role', '=', role)
    .where('u.is_active', '=', true)
    .where(
      sql<boolean>`EXISTS (
        SELECT FROM user_credentials c WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id)`,
    )
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Returns the tenants without an active signing key, except those being deleted. */
export async function listTenantsWithoutSigner(tx: SystemTx, now: Date): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('tenants as t')
    .select('t.tenant_id')
    .where('t.deleted_at', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM signing_keys k
         WHERE k.tenant_id = t.tenant_id AND k.algorithm = 'EdDSA' AND k.retired_at IS NULL AND k.signs_from <= ${now})`,
    )
    .orderBy('t.tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id);
}

/** Returns the tenants without a data key, except those being deleted: their encrypted data is unreadable. */
export async function listTenantsWithoutDataKey(tx: SystemTx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('tenants as t')
    .select('t.tenant_id')
    .where('t.deleted_at', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM tenant_data_keys k WHERE k.tenant_id = t.tenant_id)`,
    )
    .orderBy('t.tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id);
}

export async function countTenants(tx: SystemTx): Promise<number> {
  const row = await tx.db
    .selectFrom('tenants')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

interface Deletion {
  readonly tenant_id: string;
  readonly deleted_at: Date;
}

/** Returns the tenants whose rows are still being deleted, oldest deletion first. */
export async function listDeletions(tx: SystemTx): Promise<Deletion[]> {
  const rows = await tx.db
    .selectFrom('tenants')
    .select(['tenant_id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .execute();
  return rows.flatMap(({ tenant_id: id, deleted_at: at }) =>
    at ? [{ tenant_id: id, deleted_at: at }] : [],
  );
}

/** Returns the IDs of the keys that the default tenant's key set can contain. */
export async function listPublishableKeys(tx: SystemTx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('signing_keys')
    .select('id')
    .where('tenant_id', '=', DEFAULT_TENANT)
    .where('retired_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

// These queries run as the user with which the service connects, without SET ROLE, because the roles might be
// missing.

const serverVersion = statement<{ readonly name: string; readonly number: number }>(
  'kw_doctor_version',
  `SELECT current_setting('server_version') AS name,
          current_setting('server_version_num')::integer AS number`,
);

/** `number` is 180002 for version 18.2. */
export async function findServerVersion(
  database: Database,
): Promise<{ readonly name: string; readonly number: number }> {
  const [row] = await database.run(serverVersion, []);
  return row ?? { name: 'unknown', number: 0 };
}

const storedSettings = statement<StoredSetting>('kw_doctor_settings', STORED_SETTINGS);

/** Returns the settings of the role, the database or both that the service overrides. */
export function findStoredSettings(database: Database): Promise<StoredSetting[]> {
  return database.run(storedSettings, []);
}
