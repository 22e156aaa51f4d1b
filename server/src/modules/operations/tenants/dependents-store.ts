import type { TenantId } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import type { getTenantDependents } from '@keywright/contract/routes/tenants';
import { countSome } from '../../../platform/db/page.ts';
import type { SystemTx } from '../../../tenancy/system.ts';
import { findTenant } from './store.ts';

type Counted = 'users' | 'workspaces' | 'agents' | 'oauth_clients' | 'webhooks' | 'audit_entries';

/** How much of each kind a tenant has; undefined when there is none with this id. */
export async function findTenantDependents(
  tx: SystemTx,
  id: TenantId,
): Promise<OkOf<typeof getTenantDependents> | undefined> {
  if (!(await findTenant(tx, id))) return undefined;
  const { db } = tx;
  const of = (table: Counted) =>
    db.selectFrom(table).where('tenant_id', '=', id).select('tenant_id');
  const live = db
    .selectFrom('sessions')
    .where('tenant_id', '=', id)
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .select('id');
  const keys = db
    .selectFrom('api_keys')
    .where('tenant_id', '=', id)
    .where('revoked_at', 'is', null)
    .select('id');
  return {
    tenant_id: id,
    users: await countSome(tx, of('users')),
    sessions: await countSome(tx, live),
    workspaces: await countSome(tx, of('workspaces')),
    agents: await countSome(tx, of('agents')),
    api_keys: await countSome(tx, keys),
    clients: await countSome(tx, of('oauth_clients')),
    webhooks: await countSome(tx, of('webhooks')),
    audit_entries: await countSome(tx, of('audit_entries')),
  };
}
