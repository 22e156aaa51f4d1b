import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { createUser, deleteUser } from '@keywright/contract/routes/users';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { PasswordPolicy } from '../../authentication/passwords/index.ts';
import {
  type EndedAgents,
  endOwnedAgents,
  findUserDependents,
} from '../../machines/dependents/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  MEMBER,
  requireMayGrant,
  isAdministrator,
  requireAdministratorLeft,
  requireMayActOnUser,
  roleChange,
} from '../roles/index.ts';
import {
  presentUser,
  findManyUsers,
  type UserRef,
  requireIdentifier,
  findUser,
  writeUser,
  findRoleNames,
  recordDeletion,
  deleteUserRow,
  findGivenDelegations,
} from '../users/index.ts';

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

type Refuse = Fail<
  'VALIDATION_FAILED' | 'IDENTIFIER_TAKEN' | 'ROLE_UNKNOWN' | 'SCOPE_NOT_HELD' | 'TOO_BUSY'
>;

type CreateUser = (
  tenant: Tenant,
  caller: Caller,
  body: BodyOf<typeof createUser>,
  repeatable: RepeatableRequest | undefined,
  fail: Refuse,
) => Promise<UserRecord>;

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
}

export function createCreateUser({ gate, passwords, passwordPolicy }: Dependencies): CreateUser {
  return async (tenant, caller, body, repeatable, fail) => {
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    const identifiers = [identifier.identifier];
    const candidate = { secret: body.password, identifiers, from: caller.from };
    await passwordPolicy.require(tenant, candidate, '/password', fail);
    const roles = body.roles ?? [MEMBER];
    const secretHash = await passwords.hash(body.password, hashShare(tenant.id, caller.from));
    return once(gate.into(tenant.id), repeatable, async (tx) => {
      await requireMayGrant(tx, caller, roles, fail);
      const id = await writeUser(tx, caller, { ...identifier, secretHash, roles });
      const row = id && (await findUser(tx, id));
      return row ? presentUser(row) : fail('IDENTIFIER_TAKEN');
    });
  };
}

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
