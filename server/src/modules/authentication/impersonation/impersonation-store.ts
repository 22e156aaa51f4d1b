import type { SessionId, TenantId } from '@keywright/contract/ids';
import { MOST_IMPERSONATIONS } from '@keywright/contract/routes/impersonations';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

export interface NewImpersonation {
  readonly sessionId: SessionId;
  readonly into: TenantId;
  readonly reason: string;
  readonly sessionVersion: number;
  readonly tenantVersion: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Begins one, or begins it again, and forgets those that ended and those that are too many. */
export async function keep(tx: TenantTx, begun: NewImpersonation): Promise<void> {
  const { sessionId, into, now } = begun;
  const values = {
    reason: begun.reason,
    session_version: begun.sessionVersion,
    tenant_version: begun.tenantVersion,
    started_at: now,
    expires_at: begun.expiresAt,
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

/** Those of a session that have not ended, the latest first. */
export function findAllKept(tx: TenantTx, sessionId: SessionId) {
  return alive(tx, sessionId).orderBy('started_at', 'desc').orderBy('into_tenant').execute();
}

/** That of a session in this tenant. */
export function findKept(tx: TenantTx, sessionId: SessionId, into: TenantId) {
  return alive(tx, sessionId).where('into_tenant', '=', into).executeTakeFirst();
}

export type KeptRow = NonNullable<Awaited<ReturnType<typeof findKept>>>;

function alive(tx: TenantTx, sessionId: SessionId) {
  return tx.db
    .selectFrom('impersonations')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', tx.now);
}

/** @returns whether there was one that had not ended */
export async function forget(tx: TenantTx, sessionId: SessionId, into: TenantId): Promise<boolean> {
  const gone = await tx.db
    .deleteFrom('impersonations')
    .where('tenant_id', '=', tx.tenantId)
    .where('session_id', '=', sessionId)
    .where('into_tenant', '=', into)
    .where('expires_at', '>', tx.now)
    .returning('into_tenant')
    .execute();
  return gone.length > 0;
}
