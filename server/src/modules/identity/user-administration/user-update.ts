import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf } from '@keywright/contract/route';
import type { updateUser } from '@keywright/contract/routes/users';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import { type Caller, isOneself } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { PasswordPolicy } from '../../authentication/passwords/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { outdateAccessOfUser } from '../../tokens/grants/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  holdRoles,
  isAdministrator,
  refuseUnknownRoles,
  requireAdministratorLeft,
  requireMayGrant,
  requireMayActOnUser,
  type RoleChange,
  roleChange,
} from '../roles/index.ts';
import {
  setSecretHash,
  findRoleNames,
  lockWorkspaces,
  replaceRoles,
  replaceWorkspaces,
  presentUser,
  recordUpdate,
  nextIdentifiers,
  requireGoodMetadata,
  findUser,
  forgetUndos,
  type NewIdentifier,
  replaceIdentifiers,
  updateUserRow,
} from '../users/index.ts';

type Patch = BodyOf<typeof updateUser>;
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

type UpdateUser = (
  tenant: Tenant,
  caller: Caller,
  id: string,
  patch: Patch,
  fail: Refuse,
) => Promise<UserRecord>;

interface UpdateUserDependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly notify: Notify;
}

export function createUpdateUser(dependencies: UpdateUserDependencies): UpdateUser {
  const { gate, passwords, passwordPolicy, notify } = dependencies;
  return async (tenant, caller, id, patch, fail) => {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    requireGoodParts(patch, fail);
    if (patch.password !== undefined) {
      refuseOwnPassword(caller, userId, fail);
      const identifiers = patch.identifiers?.map(({ identifier }) => identifier) ?? [];
      const candidate = { secret: patch.password, identifiers, from: caller.from };
      await passwordPolicy.require(tenant, candidate, '/password', fail);
    }
    const share = hashShare(tenant.id, caller.from);
    const secretHash = patch.password && (await passwords.hash(patch.password, share));
    return gate.into(tenant.id).transaction(async (tx) => {
      const isCredential = [patch.password, patch.identifiers].some((one) => one !== undefined);
      await requireMayActOnUser(tx, caller, userId, fail, isCredential);
      const before = await getUser(tx, userId, fail);
      const change = changeOf(patch, before, isOneself(caller, userId), fail);
      if (isEmpty(change)) return before;
      const mayEnd = mayEndAdministration(change) && (await isAdministrator(tx, userId));
      // Before the addresses change: the previous ones are told.
      await tellOfChange(notify, tx, tenant, before, change);
      const roles = change.roles && (await changeRoles(tx, caller, userId, change.roles, fail));
      if (change.workspaces) await changeWorkspaces(tx, userId, change.workspaces, fail);
      if (change.identifiers) await changeIdentifiers(tx, caller, userId, change.identifiers, fail);
      if (secretHash) await setSecretHash(tx, userId, secretHash);
      const { is_active: isActive, metadata, user_metadata: own } = change;
      await updateUserRow(
        tx,
        userId,
        {
          ...(metadata && { metadata: JSON.stringify(metadata) }),
          ...(own && { user_metadata: JSON.stringify(own) }),
          ...(isActive === undefined ? {} : { is_active: isActive }),
        },
        changesLogin(change),
      );
      if (mayEnd) await requireAdministratorLeft(tx, caller, userId, fail);
      const isOver = isActive === false;
      const reason = isOver ? 'deactivated' : 'password_changed';
      const ended = isOver || secretHash ? await endSessionsOf(tx, userId, reason) : [];
      const fields = Object.keys(change);
      await recordUpdate(tx, caller, userId, { fields, isActive, roles, ended, reason });
      return getUser(tx, userId, fail);
    });
  };
}

function requireGoodParts({ metadata, user_metadata: own }: Patch, fail: Refuse): void {
  if (metadata) requireGoodMetadata(metadata, '/metadata', fail);
  if (own) requireGoodMetadata(own, '/user_metadata', fail);
}

async function getUser(tx: TenantTx, id: UserId, fail: Fail<'NOT_FOUND'>): Promise<UserRecord> {
  const row = await findUser(tx, id);
  return row ? presentUser(row) : fail('NOT_FOUND');
}

type Change = Omit<Patch, 'identifiers'> & { readonly identifiers?: NewIdentifier[] };

/** The changes of a patch. A password always counts as one, since the present one is unknown. */
function changeOf(
  { identifiers, ...rest }: Patch,
  before: UserRecord,
  isOwn: boolean,
  fail: Refuse,
): Change {
  const next = identifiers && nextIdentifiers(identifiers, before.identifiers, isOwn, fail);
  return changedFields<Change>({ ...rest, ...(next && { identifiers: next }) }, before, ['roles']);
}

/** Whether a login decided before could have been decided differently. */
function changesLogin({ password, identifiers, is_active: isActive }: Change): boolean {
  return [password, identifiers, isActive].some((one) => one !== undefined);
}

/** Whether an administrator may no longer be one afterwards. */
function mayEndAdministration({ is_active: isActive, roles }: Change): boolean {
  return isActive === false || roles !== undefined;
}

/** One's own password is changed where the current one is required: a stolen token must not be enough. */
function refuseOwnPassword(caller: Caller, userId: UserId, fail: Fail<'VALIDATION_FAILED'>): void {
  if (!isOneself(caller, userId)) return;
  const message = 'of your own is changed with PATCH /me, which asks for the current one';
  fail('VALIDATION_FAILED', { errors: [{ path: '/password', message }] });
}

/** Only gained roles must be held by the caller. */
async function changeRoles(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  roles: readonly string[],
  fail: Refuse,
): Promise<RoleChange> {
  // First, so that a role that the user keeps cannot be deleted while it is counted as present.
  if (!(await holdRoles(tx, roles))) await refuseUnknownRoles(tx, roles, fail);
  const present = await findRoleNames(tx, userId);
  const gained = roles.filter((role) => !present.includes(role));
  await requireMayGrant(tx, caller, gained, fail);
  await replaceRoles(tx, userId, roles);
  await outdateAccessOfUser(tx, userId);
  return roleChange(tx, present, roles);
}

/** A workspace of another tenant counts as unknown (SPEC authentication 7). */
async function changeWorkspaces(
  tx: TenantTx,
  userId: UserId,
  workspaces: NonNullable<Patch['workspaces']>,
  fail: Refuse,
): Promise<void> {
  if ((await lockWorkspaces(tx, workspaces)) < workspaces.length) fail('NOT_FOUND');
  await replaceWorkspaces(tx, userId, workspaces);
}

/** One's own can still be undone: whoever stole the session must not rid themselves of that. */
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

type Identifiers = readonly { readonly identifier: string }[];

interface LoginChange {
  readonly password?: string;
  readonly identifiers?: Identifiers;
}

/** Tells a user what an administrator changes of how they log in, at the addresses that are verified now. */
async function tellOfChange(
  notify: Notify,
  tx: TenantTx,
  tenant: Tenant,
  { id: userId, identifiers: before }: UserRecord,
  { password, identifiers: after }: LoginChange,
): Promise<void> {
  if (password !== undefined) await notify(tx, tenant, { userId, kind: 'notice.password_changed' });
  if (!after) return;
  for (const changed of missingFrom(after, before)) {
    await notify(tx, tenant, { userId, kind: 'notice.identifier_removed', changed });
  }
  for (const changed of missingFrom(before, after)) {
    await notify(tx, tenant, { userId, kind: 'notice.identifier_added', changed });
  }
}

/** What the others have beyond these. */
function missingFrom(some: Identifiers, others: Identifiers): string[] {
  const known = new Set(some.map(({ identifier }) => identifier));
  return others.map(({ identifier }) => identifier).filter((one) => !known.has(one));
}
