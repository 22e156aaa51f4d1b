import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/gate.ts';
import { TENANT_TABLES } from '../tenants/index.ts';

type TenantTable = (typeof TENANT_TABLES)[number];

/** Tables that are not exported as they are, with the reason. */
export const LEFT_OUT: Readonly<Partial<Record<TenantTable, string>>> = {
  tenant_data_keys: 'The data key is wrapped again with the master key of the target.',
  activity: 'Statistics of this installation.',
  login_attempts: 'Counters of attempts. Most expire within minutes.',
};

/** Columns that are reset to their default, with the reason. */
const COLUMNS_LEFT_OUT: Readonly<Partial<Record<TenantTable, Readonly<Record<string, string>>>>> = {
  events: {
    xid: 'Transaction numbers belong to a database. Events with the same number are ordered by ID.',
    told: 'Endpoints without a delivery would be sent events that they already received.',
  },
};

/** Conditions on the exported rows. */
const CONDITIONS: Readonly<Partial<Record<TenantTable, string>>> = {
  // The other rows refer to tokens in the lists of other tenants.
  status_dependents: 'list_tenant_id = tenant_id',
};

/** All exported tables, ordered so that referenced tables come first. */
export const EXPORTED: readonly TenantTable[] = TENANT_TABLES.filter(
  (table) => !(table in LEFT_OUT),
).toReversed();

const FETCHED = 500;

/** A row as JSON written by PostgreSQL, so that numbers do not lose digits. */
export interface ExportedRow {
  readonly name: TenantTable;
  readonly row: string;
}

/** Reads all rows of a tenant as of one moment: a single statement has one snapshot, however long the reading takes. */
export async function* readRows(tx: SystemTx, id: TenantId): AsyncGenerator<ExportedRow[]> {
  const selects = EXPORTED.map((table) => {
    const also = CONDITIONS[table] === undefined ? '' : ` AND ${CONDITIONS[table]}`;
    const omitted = Object.keys(COLUMNS_LEFT_OUT[table] ?? {}).map((column) => ` - '${column}'`);
    return `SELECT '${table}'::text AS name, (to_jsonb(t)${omitted.join('')})::text AS row
              FROM ${table} t WHERE t.tenant_id = '${id}'${also}`;
  });
  const cursor = `DECLARE rows_of_tenant NO SCROLL CURSOR FOR ${selects.join(' UNION ALL ')}`;
  await sql.raw(cursor).execute(tx.db);
  for (;;) {
    const { rows } = await sql<ExportedRow>`
      FETCH FORWARD ${sql.lit(FETCHED)} FROM rows_of_tenant`.execute(tx.db);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Inserts rows of one table, except those that collide with existing rows. @returns the number of inserted rows */
export async function writeRows(
  tx: SystemTx,
  id: TenantId,
  table: string,
  rows: readonly string[],
): Promise<number> {
  const target = EXPORTED.find((candidate) => candidate === table);
  if (target === undefined)
    throw new Error(`There is no table ${JSON.stringify(table)} to import.`);
  const columns = sql.join((await listColumns(tx, target)).map((column) => sql.ref(column)));
  const name = sql.table(target);
  const { numAffectedRows } = await sql`
    INSERT INTO ${name} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, ${`[${rows.join(',')}]`}::jsonb) AS given
     WHERE given.tenant_id = ${id}
        ON CONFLICT DO NOTHING`.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

async function listColumns(tx: SystemTx, table: TenantTable): Promise<string[]> {
  const omitted = Object.keys(COLUMNS_LEFT_OUT[table] ?? {});
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
     ORDER BY attnum`.execute(tx.db);
  return rows.map(({ name }) => name).filter((name) => !omitted.includes(name));
}

/** Whether a tenant with this ID exists or existed. */
export async function isTenantIdTaken(tx: SystemTx, id: TenantId): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tenants WHERE tenant_id = ${id} UNION ALL SELECT FROM former_tenants WHERE id = ${id}`.execute(
    tx.db,
  );
  return rows.length > 0;
}

export async function findIssuer(tx: SystemTx, id: TenantId): Promise<string | null | undefined> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('issuer')
    .where('tenant_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && row.issuer;
}

export async function setIssuer(tx: SystemTx, id: TenantId, issuer: string): Promise<void> {
  await tx.db.updateTable('tenants').set({ issuer }).where('tenant_id', '=', id).execute();
}

export function findDataKey(tx: SystemTx, id: TenantId) {
  return tx.db
    .selectFrom('tenant_data_keys')
    .select(['wrapped_key', 'master_key_id'])
    .where('tenant_id', '=', id)
    .executeTakeFirst();
}

export async function insertDataKey(
  tx: SystemTx,
  id: TenantId,
  key: { readonly wrapped_key: Buffer; readonly master_key_id: string },
): Promise<void> {
  await tx.db
    .insertInto('tenant_data_keys')
    .values({ tenant_id: id, ...key, created_at: tx.now })
    .execute();
}
