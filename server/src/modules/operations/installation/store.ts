import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';

/** Any number that no other lock of this database uses. */
const INSTALLATION_LOCK = 7_205_001;

/** One node continues; the others wait for its commit. */
export async function lockInstallation(tx: SystemTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${INSTALLATION_LOCK}::bigint)`.execute(tx.db);
}

/** The id of the current master key; undefined before the first start. */
export async function findMasterKeyId(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db.selectFrom('installation').select('master_key_id').executeTakeFirst();
  return row?.master_key_id;
}

/** The same, locked in share mode: waits for a rotation in progress, and delays any other. */
export async function shareMasterKeyId(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('installation')
    .select('master_key_id')
    .forShare()
    .executeTakeFirst();
  return row?.master_key_id;
}

/** The same, locked for a change: waits for all transactions that read it to create a tenant. */
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
