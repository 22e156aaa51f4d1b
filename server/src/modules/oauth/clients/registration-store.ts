import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemTx } from '../../../tenancy/system.ts';

/** Locks the tenant's count of registered clients until the commit. */
export async function lockRegistrations(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`registrations of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

/** Whether the tenant has at least this many registrations that expire without a consent. */
export async function hasOpenRegistrations(tx: TenantTx, count: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('client_registrations')
    .select('client_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('kept_until', 'is not', null)
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface NewRegistration {
  readonly tokenHash?: Buffer;
  readonly scopes?: readonly string[] | undefined;
  readonly redirectHosts?: readonly string[] | undefined;
  /** When the client is deleted if it has no consent; undefined: never. */
  readonly keptUntil?: Date | undefined;
}

export async function insertRegistration(
  tx: TenantTx,
  clientId: OAuthClientId,
  { tokenHash, scopes, redirectHosts, keptUntil }: NewRegistration,
): Promise<void> {
  await tx.db
    .insertInto('client_registrations')
    .values({
      tenant_id: tx.tenantId,
      client_id: clientId,
      token_hash: tokenHash ?? null,
      scopes: scopes ? [...scopes] : null,
      redirect_hosts: redirectHosts ? [...redirectHosts] : null,
      kept_until: keptUntil ?? null,
    })
    .execute();
}

export function findRegistration(tx: TenantTx, clientId: OAuthClientId) {
  return tx.db
    .selectFrom('client_registrations')
    .select(['token_hash', 'scopes', 'redirect_hosts'])
    .where('tenant_id', '=', tx.tenantId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** The number of registrations that a transaction checks. */
const BATCH = 100;

/** A registration that is due for deletion. */
interface DueRegistration {
  readonly tenant_id: TenantId;
  readonly client_id: OAuthClientId;
  /** Whether the client has a consent, or has had one since `since`. */
  readonly is_used: boolean;
}

/** Locks due registrations until the commit, and skips those that another node is checking. */
export async function findDue(tx: SystemTx, now: Date, since: Date): Promise<DueRegistration[]> {
  const { rows } = await sql<DueRegistration>`
    SELECT due.tenant_id, due.client_id, EXISTS (
             SELECT FROM consents c
              WHERE c.tenant_id = due.tenant_id AND c.client_id = due.client_id
                AND (c.revoked_at IS NULL OR c.revoked_at > ${since})) AS is_used
      FROM (
        SELECT r.tenant_id, r.client_id FROM client_registrations r
         WHERE r.kept_until < ${now}
         ORDER BY r.kept_until LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ) AS due`.execute(tx.db);
  return rows;
}

/** Postpones the next check of the registrations. */
export async function postpone(
  tx: SystemTx,
  due: readonly DueRegistration[],
  until: Date,
): Promise<void> {
  if (due.length === 0) return;
  await sql`
    UPDATE client_registrations r SET kept_until = ${until}
      FROM unnest(${due.map((one) => one.tenant_id)}::text[], ${due.map((one) => one.client_id)}::text[])
           AS used (tenant_id, client_id)
     WHERE r.tenant_id = used.tenant_id AND r.client_id = used.client_id`.execute(tx.db);
}
