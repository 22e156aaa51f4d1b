import type { TenantId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { SystemTx, TenantTx } from '../../../tenancy/gate.ts';
import type { WrappedKey } from '../../../tenancy/store.ts';

/** An arbitrary number that no other lock of this database uses. */
const INSTALLATION_LOCK = 7_205_001;

/** Lets one node continue while the others wait for its commit. */
export async function lockInstallation(tx: SystemTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${INSTALLATION_LOCK}::bigint)`.execute(tx.db);
}

/** Returns the ID of the current master key; undefined before the first start. */
export async function findMasterKeyId(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db.selectFrom('installation').select('master_key_id').executeTakeFirst();
  return row?.master_key_id;
}

/** Like `findMasterKeyId`, but locked in share mode: waits for a rotation in progress, and delays any other. */
export async function shareMasterKeyId(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('installation')
    .select('master_key_id')
    .forShare()
    .executeTakeFirst();
  return row?.master_key_id;
}

/** Like `findMasterKeyId`, but locked for a change: waits for all transactions that read it to create a tenant. */
export async function lockMasterKeyId(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('installation')
    .select('master_key_id')
    .forUpdate()
    .executeTakeFirst();
  return row?.master_key_id;
}

export async function writeMasterKeyId(tx: SystemTx, id: string): Promise<void> {
  await tx.db
    .insertInto('installation')
    .values({ master_key_id: id })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ master_key_id: id }))
    .execute();
}

/** A tenant's data key as stored. */
export interface StoredDataKey extends WrappedKey {
  readonly tenant_id: TenantId;
}

/** Counts the data keys per master key, including unavailable master keys. */
export async function countDataKeys(tx: SystemTx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.db
    .selectFrom('tenant_data_keys')
    .select('master_key_id')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .groupBy('master_key_id')
    .execute();
  return new Map(rows.map((row) => [row.master_key_id, Number(row.n)]));
}

/** Returns the data keys of this many random tenants. */
export function sampleDataKeys(tx: SystemTx, size: number): Promise<StoredDataKey[]> {
  return dataKeys(tx)
    .orderBy(sql`random()`)
    .limit(size)
    .execute();
}

/**
 * Returns data keys wrapped by another master key, of the next tenants after this ID, and locks them until the
 * commit.
 */
export function lockDataKeysOfOthers(
  tx: SystemTx,
  masterKeyId: string,
  after: string,
  limit: number,
): Promise<StoredDataKey[]> {
  return dataKeys(tx)
    .where(sql<boolean>`tenant_id > ${after}`)
    .where('master_key_id', '<>', masterKeyId)
    .orderBy('tenant_id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Stores the rewrapped data keys. */
export async function replaceDataKeys(tx: SystemTx, keys: readonly StoredDataKey[]): Promise<void> {
  const ids = keys.map((key) => key.tenant_id);
  const wrapped = keys.map((key) => key.wrapped_key.toString('hex'));
  const masterKeyIds = keys.map((key) => key.master_key_id);
  await sql`
    UPDATE tenant_data_keys AS kept
       SET wrapped_key = decode(renewed.wrapped, 'hex'), master_key_id = renewed.master_key_id
      FROM unnest(${ids}::text[], ${wrapped}::text[], ${masterKeyIds}::text[])
        AS renewed (tenant_id, wrapped, master_key_id)
     WHERE kept.tenant_id = renewed.tenant_id`.execute(tx.db);
}

function dataKeys(tx: SystemTx) {
  return tx.db.selectFrom('tenant_data_keys').select(['tenant_id', 'wrapped_key', 'master_key_id']);
}

/** The database on which the service last ran, as recorded. OIDs are in decimal. */
export interface RecordedPlace {
  readonly system_identifier: string;
  readonly timeline: number;
  readonly database_oid: string;
  readonly table_oid: string;
}

/** The current database, with the facts that distinguish a promotion from a recovery. */
export interface Place extends RecordedPlace {
  /** Whether any node has an unexpired lease. */
  readonly is_leased: boolean;
  /** Whether the server has a recovery target. */
  readonly has_recovery_target: boolean;
}

/** @throws Error if a hosted server does not allow these functions */
export async function findPlace(tx: SystemTx): Promise<Place> {
  const { rows } = await sql<Place>`
    SELECT (SELECT system_identifier FROM pg_control_system())::text AS system_identifier,
           ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer AS timeline,
           (SELECT oid FROM pg_database WHERE datname = current_database())::bigint AS database_oid,
           'installation'::regclass::oid::bigint AS table_oid,
           EXISTS (SELECT FROM nodes WHERE expires_at > now()) AS is_leased,
           EXISTS (SELECT FROM pg_settings
                    WHERE name IN ('recovery_target', 'recovery_target_lsn', 'recovery_target_name',
                                   'recovery_target_time', 'recovery_target_xid')
                      AND setting <> '') AS has_recovery_target`.execute(tx.db);
  const [place] = rows;
  if (!place) throw new Error('The database did not report its identity.');
  return place;
}

/** Undefined before the first start of the service. */
export async function findRecordedPlace(tx: SystemTx): Promise<RecordedPlace | undefined> {
  const row = await tx.db
    .selectFrom('installation')
    .select(['system_identifier', 'timeline', 'database_oid', 'table_oid'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { system_identifier, timeline, database_oid, table_oid } = row;
  if (system_identifier === null || timeline === null) return undefined;
  if (database_oid === null || table_oid === null) return undefined;
  return { system_identifier, timeline, database_oid, table_oid };
}

export async function recordPlace(tx: SystemTx, place: RecordedPlace): Promise<void> {
  const { system_identifier, timeline, database_oid, table_oid } = place;
  await tx.db
    .updateTable('installation')
    .set({ system_identifier, timeline, database_oid, table_oid })
    .execute();
}

/** Whether the password of the first administrator was generated, and no system administrator has logged in since. */
export async function hasUnusedSecret(tx: SystemTx): Promise<boolean> {
  const row = await tx.db.selectFrom('installation').select('has_unused_secret').executeTakeFirst();
  return row?.has_unused_secret === true;
}

export async function setUnusedSecret(tx: SystemTx, hasUnused: boolean): Promise<void> {
  await tx.db.updateTable('installation').set({ has_unused_secret: hasUnused }).execute();
}

/**
 * Returns the user with this identifier and role if their credentials have not changed since creation and no user
 * with the role has ever logged in.
 */
export async function findUnusedAdministrator(
  tx: TenantTx,
  identifier: string,
  role: string,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ readonly id: UserId }>`
    SELECT u.id
      FROM users u
      JOIN user_identifiers i ON i.tenant_id = u.tenant_id AND i.user_id = u.id
      JOIN user_roles r ON r.tenant_id = u.tenant_id AND r.user_id = u.id
     WHERE u.tenant_id = ${tx.tenantId} AND i.identifier = ${identifier} AND r.role = ${role}
       AND u.auth_version = 0
       AND NOT EXISTS (
             SELECT
               FROM user_roles a
              WHERE a.tenant_id = u.tenant_id AND a.role = r.role
                AND (EXISTS (SELECT FROM user_logins l
                              WHERE l.tenant_id = a.tenant_id AND l.user_id = a.user_id
                                AND l.last_login_at > '-infinity')
                     OR EXISTS (SELECT FROM sessions s
                                 WHERE s.tenant_id = a.tenant_id AND s.user_id = a.user_id)))`.execute(
    tx.db,
  );
  return rows[0]?.id;
}
