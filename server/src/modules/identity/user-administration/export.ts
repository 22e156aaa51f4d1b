import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { record } from '../../events/journal/index.ts';
import { presentUser, countAllUsers, findUsersAfter, type UserFilter } from '../users/index.ts';

/** The number of users read into memory at a time: with 32 KiB of metadata each, at most 6 MB. */
const BATCH = 200;

/**
 * Users as JSON lines, the oldest first. Each batch has its own transaction, so a slow reader blocks nothing, and continues
 * after the last id. Nothing is sent before the export and the number of its users are in the audit log.
 */
export async function exportUsers(
  tenant: TenantData,
  caller: Caller,
  filter: UserFilter,
): Promise<AsyncIterable<string>> {
  await tenant.transaction(async (tx) => {
    const users = await countAllUsers(tx, filter);
    const target = { kind: 'tenant', id: tx.tenantId } as const;
    const details = { users, filters: Object.keys(filter) };
    await record(tx, caller, { action: 'users.exported', target, details });
  });
  return linesOf(tenant, filter);
}

async function* linesOf(tenant: TenantData, filter: UserFilter): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findUsersAfter(tx, filter, after, BATCH));
    yield rows.map((row) => `${JSON.stringify(presentUser(row))}\n`).join('');
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}
