import { sql } from 'kysely';
import { type Database, statement } from '../../../platform/db/database.ts';
import type { SystemTx } from '../../../tenancy/gate.ts';

const watching = statement<{ readonly connections: number }>(
  'kw_restore_watching',
  `SELECT count(*)::integer AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'keywright watch of %'`,
);

/** Whether nodes are connected, except nodes behind a pooler. */
export async function isServing(database: Database): Promise<boolean> {
  if (database.engine === 'embedded') return false;
  const [row] = await database.run(watching, []);
  return (row?.connections ?? 0) > 0;
}

/** Returns the tenants that are not being deleted, with their data keys. */
export function listDataKeys(tx: SystemTx) {
  return tx.db
    .selectFrom('tenants as t')
    .leftJoin('tenant_data_keys as k', 'k.tenant_id', 't.tenant_id')
    .select(['t.tenant_id', 'k.wrapped_key', 'k.master_key_id'])
    .where('t.deleted_at', 'is', null)
    .orderBy('t.tenant_id')
    .execute();
}

/** Logins, requests and changes in progress, including the codes and links in messages. */
const UNFINISHED = [
  'login_flows',
  'challenges',
  'upstream_logins',
  'pushed_requests',
  'device_grants',
  'identifier_undos',
] as const;

/** @returns the number of deleted rows by table */
export async function deleteUnfinished(tx: SystemTx): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of UNFINISHED) {
    const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)}`.execute(tx.db);
    counts[table] = Number(numAffectedRows ?? 0n);
  }
  return counts;
}

/** Deletes the nodes that were listed when the backup was made. */
export async function deleteNodes(tx: SystemTx): Promise<void> {
  await tx.db.deleteFrom('nodes').execute();
}

/** The number of records that might have changed after the backup. */
export interface Restored {
  readonly tenants: number;
  readonly users: number;
  readonly passwords: number;
  readonly second_factors: number;
  readonly api_keys: number;
  readonly agents: number;
  readonly delegations: number;
  readonly clients: number;
  readonly consents: number;
  readonly invitations: number;
  readonly registration_tokens: number;
  readonly identity_providers: number;
}

/** Counts usable records. */
export async function countRestored(tx: SystemTx): Promise<Restored> {
  const { rows } = await sql<Restored>`
    SELECT (SELECT count(*)::integer FROM tenants WHERE deleted_at IS NULL) AS tenants,
           (SELECT count(*)::integer FROM users WHERE is_active) AS users,
           (SELECT count(*)::integer FROM user_credentials WHERE type = 'password') AS passwords,
           (SELECT count(*)::integer FROM user_factors WHERE confirmed_at IS NOT NULL) AS second_factors,
           (SELECT count(*)::integer FROM api_keys
             WHERE kw_is_usable(revoked_at, expires_at, ${tx.now})) AS api_keys,
           (SELECT count(*)::integer FROM agents WHERE is_active) AS agents,
           (SELECT count(*)::integer FROM delegations
             WHERE kw_is_usable(revoked_at, expires_at, ${tx.now})) AS delegations,
           (SELECT count(*)::integer FROM oauth_clients WHERE is_active) AS clients,
           (SELECT count(*)::integer FROM consents WHERE revoked_at IS NULL) AS consents,
           (SELECT count(*)::integer FROM invitations
             WHERE accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${tx.now}) AS invitations,
           (SELECT count(*)::integer FROM registration_tokens
             WHERE expires_at > ${tx.now}) AS registration_tokens,
           (SELECT count(*)::integer FROM identity_providers WHERE is_active) AS identity_providers
  `.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error('A count has one row.');
  return row;
}
