import type { SessionId, TenantId } from '@keywright/contract/ids';
import { MOST_IMPERSONATIONS } from '@keywright/contract/routes/impersonations';
import { sql } from 'kysely';
import { deleteFrom, from, type TenantTx } from '../../../tenancy/gate.ts';

interface NewImpersonation {
  readonly sessionId: SessionId;
  readonly into: TenantId;
  readonly reason: string;
  readonly sessionVersion: number;
  readonly tenantVersion: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Starts or restarts an impersonation. Deletes the session's ended ones, and the oldest above the limit. */
export async function upsertImpersonation(tx: TenantTx, added: NewImpersonation): Promise<void> {
  const { sessionId, into, now } = added;
  const values = {
    reason: added.reason,
    session_version: added.sessionVersion,
    tenant_version: added.tenantVersion,
    started_at: now,
    expires_at: added.expiresAt,
  };
  await tx.db
    .insertInto('impersonations')
    .values({ tenant_id: tx.tenantId, session_id: sessionId, into_tenant: into, ...values })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'session_id', 'into_tenant']).doUpdateSet(values),
    )
    .execute();
  await sql`
    DELETE FROM impersonations i
     WHERE i.tenant_id = ${tx.tenantId} AND i.session_id = ${sessionId} AND (i.expires_at <= ${now} OR i.into_tenant IN (
       SELECT o.into_tenant FROM impersonations o
        WHERE o.tenant_id = ${tx.tenantId} AND o.session_id = ${sessionId}
        ORDER BY o.started_at DESC, (o.into_tenant = ${into}) DESC, o.into_tenant
       OFFSET ${MOST_IMPERSONATIONS}))`.execute(tx.db);
}

/** The impersonations of a session that have not ended, the latest first. */
export function findImpersonations(tx: TenantTx, sessionId: SessionId) {
  return impersonationsOf(tx, sessionId)
    .orderBy('started_at', 'desc')
    .orderBy('into_tenant')
    .execute();
}

export function findImpersonation(tx: TenantTx, sessionId: SessionId, into: TenantId) {
  return impersonationsOf(tx, sessionId).where('into_tenant', '=', into).executeTakeFirst();
}

export type ImpersonationRow = NonNullable<Awaited<ReturnType<typeof findImpersonation>>>;

function impersonationsOf(tx: TenantTx, sessionId: SessionId) {
  return from(tx, 'impersonations')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', tx.now);
}

/** @returns false if the session had no impersonation in progress */
export async function deleteImpersonation(
  tx: TenantTx,
  sessionId: SessionId,
  into: TenantId,
): Promise<boolean> {
  const deleted = await deleteFrom(tx, 'impersonations')
    .where('session_id', '=', sessionId)
    .where('into_tenant', '=', into)
    .where('expires_at', '>', tx.now)
    .returning('into_tenant')
    .execute();
  return deleted.length > 0;
}
