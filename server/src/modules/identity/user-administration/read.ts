import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { presentUser, findManyUsers, type UserRef } from '../users/index.ts';

/** A user of the tenant, read from the database each time, concurrent requests in one statement. */
export type GetUserById = (
  tenantId: TenantId,
  id: string,
  fail: Fail<'NOT_FOUND'>,
) => Promise<UserRecord>;

export function createGetUserById(gate: Gate): GetUserById {
  const find = batched((asked: readonly UserRef[]) => findManyUsers(gate, asked), {
    size: 64,
    flights: 1,
  });
  return async (tenantId, id, fail) => {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const row = await find({ tenantId, id: userId });
    return row ? presentUser(row) : fail('NOT_FOUND');
  };
}
