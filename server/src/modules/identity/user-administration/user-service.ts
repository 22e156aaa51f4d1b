import type { Fail } from '@keywright/contract/errors';
import { type TenantId, type UserId, parseUserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { createUser, deleteUser, updateUser } from '@keywright/contract/routes/users';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { batched } from '../../../platform/db/calls.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import { type Caller, type UserCaller, hashShare, isOneself } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type RepeatableRequest, once } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { PasswordPolicy } from '../../authentication/passwords/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import {
  type EndedAgents,
  endOwnedAgents,
  findDelegationsBy,
  findUserDependents,
} from '../../machines/agents/index.ts';
import { outdateAccessOfUser } from '../../tokens/grants/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  MEMBER,
  isAdministrator,
  requireAdministratorLeft,
  requireMayActOnUser,
  requireMayGrant,
  requireRoles,
} from '../roles/index.ts';
import {
  type NewIdentifier,
  type RoleChange,
  type UserRef,
  type UserRow,
  deleteUserRow,
  findManyUsers,
  findRoleNames,
  findUser,
  forgetUndos,
  lockWorkspaces,
  appearanceIn,
  nextIdentifiers,
  presentUser,
  recordDeletion,
  recordUpdate,
  replaceIdentifiers,
  replaceRoles,
  replaceWorkspaces,
  requireGoodMetadata,
  roleChange,
  setSecretHash,
  updateUserRow,
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
    const appearance = appearanceIn(body, {}, fail);
    const roles = body.roles ?? [MEMBER];
    const share = hashShare(tenant.id, caller.from);
    const secretHash = await this.#passwords.hash(body.password, share);
    return once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      await requireMayGrant(tx, caller, roles, fail);
      const id = await writeUser(tx, caller, { ...identifier, ...appearance, secretHash, roles });
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

type Patch = BodyOf<typeof updateUser>;
type Change = Omit<Patch, 'identifiers'> & { readonly identifiers?: NewIdentifier[] };
type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'NOT_FOUND'
  | 'IDENTIFIER_TAKEN'
  | 'ROLE_UNKNOWN'
  | 'SCOPE_NOT_HELD'
  | 'PRINCIPAL_PROTECTED'
  | 'SELF_VERIFICATION_REFUSED'
  | 'LAST_ADMINISTRATOR'
  | 'TOO_BUSY'
>;

/** Changes a user on behalf of an administrator or the user themselves (PATCH /users/<id>). */
export class UserUpdate {
  readonly #gate: Gate;
  readonly #passwords: PasswordHasher;
  readonly #passwordPolicy: PasswordPolicy;
  readonly #notices: Notices;

  constructor(
    gate: Gate,
    passwords: PasswordHasher,
    passwordPolicy: PasswordPolicy,
    notices: Notices,
  ) {
    this.#gate = gate;
    this.#passwords = passwords;
    this.#passwordPolicy = passwordPolicy;
    this.#notices = notices;
  }

  async update(
    tenant: Tenant,
    caller: Caller,
    id: string,
    patch: Patch,
    fail: Refuse,
  ): Promise<UserRecord> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const { metadata, user_metadata: userMetadata } = patch;
    if (metadata) requireGoodMetadata(metadata, '/metadata', fail);
    if (userMetadata) requireGoodMetadata(userMetadata, '/user_metadata', fail);
    const secretHash = await this.#hashPassword(tenant, caller, userId, patch, fail);
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const isCredential = [patch.password, patch.identifiers].some((field) => field !== undefined);
      await requireMayActOnUser(tx, caller, userId, fail, isCredential);
      const before = await getUser(tx, userId, fail);
      const change = changeOf(patch, before, isOneself(caller, userId), fail);
      if (isEmpty(change)) return before;
      // Sent first, because the notices go to the previous addresses.
      await this.#notifyOfChange(tx, tenant, before, change);
      await writeChange(tx, caller, userId, change, secretHash, fail);
      return getUser(tx, userId, fail);
    });
  }

  async #hashPassword(
    tenant: Tenant,
    caller: Caller,
    userId: UserId,
    { password, identifiers = [] }: Patch,
    fail: Refuse,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined;
    refuseCallerPassword(caller, userId, fail);
    const candidate = {
      secret: password,
      identifiers: identifiers.map(({ identifier }) => identifier),
      from: caller.from,
    };
    await this.#passwordPolicy.require(tenant, candidate, '/password', fail);
    return this.#passwords.hash(password, hashShare(tenant.id, caller.from));
  }

  /** Notifies a user of changes to how they log in, at their currently verified addresses. */
  async #notifyOfChange(
    tx: TenantTx,
    tenant: Tenant,
    { id: userId, identifiers: before }: UserRecord,
    { password, identifiers: after }: Change,
  ): Promise<void> {
    if (password !== undefined) {
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.password_changed' });
    }
    if (!after) return;
    for (const changed of identifiersOnlyIn(before, after)) {
      await this.#notices.notify(tx, tenant, {
        userId,
        kind: 'notice.identifier_removed',
        changed,
      });
    }
    for (const changed of identifiersOnlyIn(after, before)) {
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.identifier_added', changed });
    }
  }
}

type Identifiers = readonly { readonly identifier: string }[];

function identifiersOnlyIn(list: Identifiers, other: Identifiers): string[] {
  const excluded = new Set(other.map(({ identifier }) => identifier));
  return list.map(({ identifier }) => identifier).filter((identifier) => !excluded.has(identifier));
}

async function getUser(tx: TenantTx, id: UserId, fail: Fail<'NOT_FOUND'>): Promise<UserRecord> {
  const row = await findUser(tx, id);
  return row ? presentUser(row) : fail('NOT_FOUND');
}

/** The actual changes in a patch. A password always counts as a change, because the present one is unknown. */
function changeOf(
  { identifiers, ...rest }: Patch,
  before: UserRecord,
  isSelf: boolean,
  fail: Refuse,
): Change {
  const next = identifiers && nextIdentifiers(identifiers, before.identifiers, isSelf, fail);
  const changed = { ...rest, ...appearanceIn(rest, before, fail) };
  return changedFields<Change>({ ...changed, ...(next && { identifiers: next }) }, before, [
    'roles',
  ]);
}

/** Users change their own password where the current one is required: a stolen token must not be enough. */
function refuseCallerPassword(
  caller: Caller,
  userId: UserId,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (!isOneself(caller, userId)) return;
  const message =
    'cannot be changed here for yourself: use PATCH /me, which requires the current one';
  fail('VALIDATION_FAILED', { errors: [{ path: '/password', message }] });
}

async function writeChange(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  change: Change,
  secretHash: string | undefined,
  fail: Refuse,
): Promise<void> {
  const { is_active: isActive, metadata, user_metadata: userMetadata } = change;
  const mayEnd =
    (isActive === false || change.roles !== undefined) && (await isAdministrator(tx, userId));
  const roles = change.roles && (await changeRoles(tx, caller, userId, change.roles, fail));
  if (change.workspaces) await changeWorkspaces(tx, userId, change.workspaces, fail);
  if (change.identifiers) await changeIdentifiers(tx, caller, userId, change.identifiers, fail);
  if (secretHash) await setSecretHash(tx, userId, secretHash);
  await updateUserRow(
    tx,
    userId,
    {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.picture !== undefined && { picture: change.picture }),
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(userMetadata && { user_metadata: JSON.stringify(userMetadata) }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
    },
    changesLogin(change),
  );
  if (mayEnd) await requireAdministratorLeft(tx, caller, userId, fail);
  const reason = isActive === false ? 'deactivated' : 'password_changed';
  const ended = isActive === false || secretHash ? await endSessionsOf(tx, userId, reason) : [];
  const fields = Object.keys(change);
  await recordUpdate(tx, caller, userId, { fields, isActive, roles, ended, reason });
}

/** Whether the change could alter the outcome of a login that was decided before it. */
function changesLogin({ password, identifiers, is_active: isActive }: Change): boolean {
  return [password, identifiers, isActive].some((field) => field !== undefined);
}

/** Requires that the caller holds the roles that the user gains, but no others. */
async function changeRoles(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  roles: readonly string[],
  fail: Refuse,
): Promise<RoleChange> {
  // Locked first, so that a role that the user keeps cannot be deleted while it counts as present.
  await requireRoles(tx, roles, fail);
  const present = await findRoleNames(tx, userId);
  const gained = roles.filter((role) => !present.includes(role));
  await requireMayGrant(tx, caller, gained, fail);
  await replaceRoles(tx, userId, roles);
  await outdateAccessOfUser(tx, userId);
  return roleChange(tx, present, roles);
}

/** Treats a workspace of another tenant as unknown (SPEC authentication 7). */
async function changeWorkspaces(
  tx: TenantTx,
  userId: UserId,
  workspaces: NonNullable<Patch['workspaces']>,
  fail: Refuse,
): Promise<void> {
  if ((await lockWorkspaces(tx, workspaces)).length < workspaces.length) fail('NOT_FOUND');
  await replaceWorkspaces(tx, userId, workspaces);
}

/** Changes by the user themselves can still be undone, so that a thief of their session cannot prevent it. */
async function changeIdentifiers(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  next: readonly NewIdentifier[],
  fail: Refuse,
): Promise<void> {
  if (!(await replaceIdentifiers(tx, userId, next))) fail('IDENTIFIER_TAKEN');
  if (!isOneself(caller, userId)) await forgetUndos(tx, userId);
}
