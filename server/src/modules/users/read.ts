import type { Fail } from '@keywright/contract/errors';
import { parseUserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { TenantData } from '../../tenancy/gate.ts';
import { presentUser } from './present.ts';
import { findUserAlone } from './store.ts';

export async function getUserById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<UserRecord> {
  const userId = parseUserId(id) ?? fail('NOT_FOUND');
  const row = await findUserAlone(tenant, userId);
  return row ? presentUser(row) : fail('NOT_FOUND');
}
