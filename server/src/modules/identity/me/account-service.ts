import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import {
  type AccountDeletion,
  LISTED_WORKSPACES,
} from '@keywright/contract/records/account-deletion';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import type { BodyOf } from '@keywright/contract/route';
import type { updateProfile as updateProfileRoute } from '@keywright/contract/routes/profile';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';
import { findUserDependents } from '../../machines/dependents/index.ts';
import { deleteOneself } from '../user-administration/index.ts';
import {
  profileIn,
  recordUpdate,
  requireGoodMetadata,
  updateUserRow,
  withProfile,
  lockOneself,
  findUser,
} from '../users/index.ts';
import {
  findOwnMetadata,
  lockOwnMetadata,
  countConsents,
  findMemberships,
} from './account-store.ts';

interface Dependencies {
  readonly gate: Gate;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'TOKEN_INVALID'>;

export function getProfile(
  { gate }: Dependencies,
  tenant: Tenant,
  { subject }: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<ProfileRecord> {
  return gate.into(tenant.id).transaction(async (tx) => {
    const metadata = (await findOwnMetadata(tx, subject)) ?? fail('TOKEN_INVALID');
    return { user_id: subject, tenant_id: tenant.id, ...profileIn(metadata) };
  });
}

/** The other members of `user_metadata` stay, whoever writes them at the same time. */
export function updateProfile(
  { gate }: Dependencies,
  tenant: Tenant,
  caller: UserCaller,
  patch: BodyOf<typeof updateProfileRoute>,
  fail: Refuse,
): Promise<ProfileRecord> {
  const { subject } = caller;
  return gate.into(tenant.id).transaction(async (tx) => {
    const before = (await lockOwnMetadata(tx, subject)) ?? fail('TOKEN_INVALID');
    const change = changedFields(patch, profileIn(before));
    const after = withProfile(before, change);
    if (!isEmpty(change)) {
      requireGoodMetadata(after, '/user_metadata', fail);
      await updateUserRow(tx, subject, { user_metadata: JSON.stringify(after) }, false);
      const fields = ['user_metadata'];
      await recordUpdate(tx, caller, subject, { fields, ended: [], reason: 'revoked' });
    }
    return { user_id: subject, tenant_id: tenant.id, ...profileIn(after) };
  });
}

interface DeletionDependencies {
  readonly gate: Gate;
  readonly notify: Notify;
}

/** What would end with the account of the caller. */
export function previewDeletion(
  { gate }: DeletionDependencies,
  tenant: Tenant,
  { subject }: UserCaller,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<AccountDeletion> {
  return gate.into(tenant.id).transaction(async (tx) => {
    const dependents = (await findUserDependents(tx, subject, tx.now)) ?? fail('TOKEN_INVALID');
    const { is_active: _, ...ending } = dependents;
    return {
      ...ending,
      allowed: tenant.config.allow_account_deletion,
      consents: await countConsents(tx, subject),
      workspaces: await findMemberships(tx, subject, LISTED_WORKSPACES),
    };
  });
}

/** Deletes the account of the caller, who names it. The verified addresses are told, which are gone afterwards. */
export async function deleteAccount(
  { gate, notify }: DeletionDependencies,
  tenant: Tenant,
  caller: UserCaller,
  identifier: string,
  fail: Fail<
    | 'VALIDATION_FAILED'
    | 'TOKEN_INVALID'
    | 'STEP_UP_REQUIRED'
    | 'ACCOUNT_DELETION_OFF'
    | 'LAST_ADMINISTRATOR'
  >,
): Promise<UserId> {
  const { subject: userId } = caller;
  if (!tenant.config.allow_account_deletion) fail('ACCOUNT_DELETION_OFF');
  await gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    await requireNamed(tx, userId, identifier, fail);
    await notify(tx, tenant, { userId, kind: 'notice.account_deleted' });
    await deleteOneself(tx, caller, fail);
  });
  return userId;
}

/** A confirmation that no single click gives. */
async function requireNamed(
  tx: TenantTx,
  userId: UserId,
  typed: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const named = parseIdentifier(typed)?.identifier;
  const user = await findUser(tx, userId);
  if (named !== undefined && user?.identifiers.some((one) => one.identifier === named)) return;
  const message = 'must be one of your own addresses';
  fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}
