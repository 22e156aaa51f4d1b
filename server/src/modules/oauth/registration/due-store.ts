import { sql } from 'kysely';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { type SystemTx } from '../../../tenancy/system.ts';

/** So many are looked at in one transaction, each with what depends on it. */
const BATCH = 100;

/** A registration whose time has come. */
export interface DueRegistration {
  readonly tenant_id: TenantId;
  readonly client_id: OAuthClientId;
  /** Whether a user allows the client something, or did since `since`. */
  readonly is_used: boolean;
}

/** Locked until the commit; what another node looks at is left out. */
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

/** They are looked at again then. */
export async function putOff(
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
