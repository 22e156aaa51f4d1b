import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { createUser, deleteUser } from '@keywright/contract/routes/users';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
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
  isAdministrator,
  MEMBER,
  requireAdministratorLeft,
  requireMayActOnUser,
  requireMayGrant,
} from '../roles/index.ts';
import {
  deleteUserRow,
  findDelegationsBy,
  findManyUsers,
  findRoleNames,
  findUser,
  presentUser,
  recordDeletion,
  requireIdentifier,
  roleChange,
  type UserRef,
  type UserRow,
  writeUser,
} from '../users/index.ts';

type CreateError =
  | 'VALIDATION_FAILED'
  | 'IDENTIFIER_TAKEN'
  | 'ROLE_UNKNOWN'
  | 'SCOPE_NOT_HELD'
  | 'TOO_BUSY';
type DeleteError = 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'LAST_ADMINISTRATOR';

const NO_AGENTS: EndedAgents = { agents: [], keys: [], delegations: [] };

/** Reads, creates and deletes users. */
export class UserService {
  readonly #gate: Gate;
  readonly #passwords: PasswordHasher;
  readonly #passwordPolicy: PasswordPolicy;
  readonly #find: (ref: UserRef) => Promise<UserRow | undefined>;

  constructor(gate: Gate, passwords: PasswordHasher, passwordPolicy: PasswordPolicy) {
    this.#gate = gate;
    this.#passwords = passwords;
    this.#passwordPolicy = passwordPolicy;
    this.#find = batched((refs: readonly UserRef[]) => findManyUsers(gate, refs), {
      size: 64,
      flights: 1,
    });
  }

  /** Reads a user from the database on each call. Concurrent requests share one statement. */
  async get(tenantId: TenantId, id: string, fail: Fail<'NOT_FOUND'>): Promise<UserRecord> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const row = await this.#find({ tenantId, id: userId });
    return row ? presentUser(row) : fail('NOT_FOUND');
  }

  async create(
    tenant: Tenant,
    caller: Caller,
    body: BodyOf<typeof createUser>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<CreateError>,
  ): Promise<UserRecord> {
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    const identifiers = [identifier.identifier];
    const candidate = { secret: body.password, identifiers, from: caller.from };
    await this.#passwordPolicy.require(tenant, candidate, '/password', fail);
    const roles = body.roles ?? [MEMBER];
    const share = hashShare(tenant.id, caller.from);
    const secretHash = await this.#passwords.hash(body.password, share);
    return once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      await requireMayGrant(tx, caller, roles, fail);
      const id = await writeUser(tx, caller, { ...identifier, secretHash, roles });
      const row = id && (await findUser(tx, id));
      return row ? presentUser(row) : fail('IDENTIFIER_TAKEN');
    });
  }

  /** Deletes a user with all dependents. A dry run returns the dependents, and changes nothing. */
  delete(
    tenant: Tenant,
    caller: Caller,
    id: string,
    isDry: boolean,
    fail: Fail<DeleteError>,
  ): Promise<OkOf<typeof deleteUser>> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail);
      const isAdmin = await isAdministrator(tx, userId);
      if (isDry) {
        if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail, userId);
        const dependents = (await findUserDependents(tx, userId, tx.now)) ?? fail('NOT_FOUND');
        return { dry_run: true as const, ...dependents };
      }
      await deleteLockedUser(tx, caller, userId, NO_AGENTS);
      if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail);
      return { id: userId, deleted: true as const };
    });
  }
}

/** Deletes the locked caller, and ends the agents that they own: no other user has decided to keep those. */
export async function deleteOneself(
  tx: TenantTx,
  caller: UserCaller,
  fail: Fail<'LAST_ADMINISTRATOR'>,
): Promise<void> {
  const { subject: userId } = caller;
  const isAdmin = await isAdministrator(tx, userId);
  await deleteLockedUser(tx, caller, userId, await endOwnedAgents(tx, userId, 'owner_deleted'));
  if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail);
}

async function deleteLockedUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  { agents, keys, delegations: toAgents }: EndedAgents,
): Promise<void> {
  const roles = await roleChange(tx, await findRoleNames(tx, userId), []);
  const sessions = await endSessionsOf(tx, userId, 'user_deleted');
  const delegations = [...toAgents, ...(await findDelegationsBy(tx, userId))];
  await deleteUserRow(tx, userId);
  await recordDeletion(tx, caller, userId, roles, { sessions, agents, keys, delegations });
}
