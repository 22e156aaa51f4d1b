import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { QueryOf } from '@keywright/contract/route';
import type { listUsers } from '@keywright/contract/routes/users';
import { listed, type Page, readPage } from '../../platform/db/page.ts';
import type { Caller } from '../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../tenancy/gate.ts';
import { tenantExists } from '../../tenancy/store.ts';
import { asTenant, type SystemData, type SystemTx } from '../../tenancy/system.ts';
import { presentUser } from './present.ts';
import { countUsers, findUserAlone, findUsers, type UserFilter, type UserRow } from './store.ts';

export async function getUserById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<UserRecord> {
  const userId = parseUserId(id) ?? fail('NOT_FOUND');
  const row = await findUserAlone(tenant, userId);
  return row ? presentUser(row) : fail('NOT_FOUND');
}

type ListQuery = QueryOf<typeof listUsers>;

export function listUsersPage(
  tenant: TenantData,
  query: ListQuery,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  return tenant.transaction((tx) => pageOfUsers(tx, query, fail));
}

/** The users of another tenant, for a system administrator: work across tenants, and recorded as such. */
export function listUsersElsewhere(
  system: SystemData,
  caller: Caller,
  tenantId: TenantId,
  query: ListQuery,
  fail: Fail<'VALIDATION_FAILED' | 'SYSTEM_ADMINISTRATOR_REQUIRED' | 'NOT_FOUND'>,
) {
  if (!caller.isSystemAdministrator) fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  const list = async (tx: SystemTx) => {
    if (!(await tenantExists(tx, tenantId))) fail('NOT_FOUND');
    return asTenant(tx, tenantId, (own) => pageOfUsers(own, query, fail));
  };
  return system.run(caller, `list users of ${tenantId}`, list, tenantId);
}

async function pageOfUsers(tx: TenantTx, query: ListQuery, fail: Fail<'VALIDATION_FAILED'>) {
  const page = readPage(query, query.sort ?? '-created_at', fail);
  const filter = filterOf(query);
  const rows = await findUsers(tx, page, filter);
  return listed(page, rows, await countUsers(tx, filter), sortValue, presentUser);
}

function filterOf({ role, workspace_id, email }: ListQuery): UserFilter {
  return {
    ...(role === undefined ? {} : { role }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(email === undefined ? {} : { email: email.normalize('NFKC').toLowerCase() }),
  };
}

function sortValue(row: UserRow, page: Page): string {
  if (page.field === 'created_at') return row.created_at.toISOString();
  return row.identifiers[0]?.identifier ?? '';
}
