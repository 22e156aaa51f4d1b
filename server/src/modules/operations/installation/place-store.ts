import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';

/** The database as recorded when the service last ran on it. OIDs are in decimal. */
export interface RecordedPlace {
  readonly system_identifier: string;
  readonly timeline: number;
  readonly database_oid: string;
  readonly table_oid: string;
}

/** The database as it is, with what distinguishes a promotion from a recovery. */
export interface Place extends RecordedPlace {
  /** Whether the lease of any node is unexpired. */
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
