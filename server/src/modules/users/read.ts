import type { Fail } from '@keywright/contract/errors';
import { parseUserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { QueryOf } from '@keywright/contract/route';
import type { listUsers } from '@keywright/contract/routes/users';
import { listed, type Page, readPage } from '../../platform/db/page.ts';
import type { TenantData } from '../../tenancy/gate.ts';
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

export async function listUsersPage(
  tenant: TenantData,
  query: QueryOf<typeof listUsers>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage(query, query.sort ?? '-created_at', fail);
  const filter = filterOf(query);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findUsers(tx, page, filter), await countUsers(tx, filter)] as const,
  );
  return listed(page, rows, total, sortValue, presentUser);
}

function filterOf({ role, workspace_id, email }: QueryOf<typeof listUsers>): UserFilter {
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
