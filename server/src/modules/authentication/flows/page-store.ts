import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { flowTokenHash } from './secret.ts';

/** Keeps the request that a page was at, for whoever opens the link of a message. */
export async function keepPage(
  tx: TenantTx,
  { id, token }: { readonly id: LoginFlowId; readonly token: string },
  page: string,
): Promise<void> {
  await tx.db
    .updateTable('login_flows')
    .set({ page })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('token_hash', '=', flowTokenHash(token))
    .execute();
}

export async function findPage(tx: TenantTx, id: LoginFlowId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('login_flows')
    .select('page')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.page ?? undefined;
}
