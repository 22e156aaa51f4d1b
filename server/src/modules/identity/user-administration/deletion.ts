import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type UserId } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import type { deleteUser } from '@keywright/contract/routes/users';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import {
  type EndedAgents,
  endOwnedAgents,
  findUserDependents,
} from '../../machines/dependents/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  isAdministrator,
  requireAdministratorLeft,
  requireMayActOnUser,
  roleChange,
} from '../roles/index.ts';
import {
  findRoleNames,
  recordDeletion,
  deleteUserRow,
  findGivenDelegations,
} from '../users/index.ts';

type RefuseDeletion = Fail<
  'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'LAST_ADMINISTRATOR'
>;

/** Deletes a user with all dependents. Dry: returns the dependents, and changes nothing. */
export function deleteUserById(
  tenant: TenantData,
  caller: Caller,
  id: string,
  isDry: boolean,
  fail: RefuseDeletion,
): Promise<OkOf<typeof deleteUser>> {
  const userId = parseUserId(id) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    await requireMayActOnUser(tx, caller, userId, fail);
    const isAdmin = await isAdministrator(tx, userId);
    if (isDry) {
      if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail, userId);
      const dependents = (await findUserDependents(tx, userId, tx.now)) ?? fail('NOT_FOUND');
      return { dry_run: true as const, ...dependents };
    }
    await deleteLocked(tx, caller, userId, NO_AGENTS);
    if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail);
    return { id: userId, deleted: true as const };
  });
}

const NO_AGENTS: EndedAgents = { agents: [], keys: [], delegations: [] };

/** Deletes the caller, who is locked, and ends the agents that they own: nobody has decided to keep those. */
export async function deleteOneself(
  tx: TenantTx,
  caller: UserCaller,
  fail: Fail<'LAST_ADMINISTRATOR'>,
): Promise<void> {
  const { subject: userId } = caller;
  const isAdmin = await isAdministrator(tx, userId);
  await deleteLocked(tx, caller, userId, await endOwnedAgents(tx, userId, 'owner_deleted'));
  if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail);
}

async function deleteLocked(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  { agents, keys, delegations: held }: EndedAgents,
): Promise<void> {
  const roles = await roleChange(tx, await findRoleNames(tx, userId), []);
  const sessions = await endSessionsOf(tx, userId, 'user_deleted');
  const delegations = [...held, ...(await findGivenDelegations(tx, userId))];
  await deleteUserRow(tx, userId);
  await recordDeletion(tx, caller, userId, roles, { sessions, agents, keys, delegations });
}
