import type { SessionId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The browser session that the session of an application ends with. */
export async function findLoginOf(tx: TenantTx, id: SessionId): Promise<SessionId | undefined> {
  const row = await tx.db
    .selectFrom('sessions')
    .select('parent_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('kind', '=', 'client')
    .executeTakeFirst();
  return row?.parent_id ?? undefined;
}
