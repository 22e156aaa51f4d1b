import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import {
  type AccountDeletion,
  LISTED_WORKSPACES,
} from '@keywright/contract/records/account-deletion';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import type { BodyOf } from '@keywright/contract/route';
import type { updateProfile } from '@keywright/contract/routes/profile';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';
import { findUserDependents } from '../../machines/dependents/index.ts';
import { deleteOneself } from '../user-administration/index.ts';
import {
  findUser,
  findUserMetadata,
  lockOneself,
  profileIn,
  recordUpdate,
  requireGoodMetadata,
  updateUserRow,
  withProfile,
} from '../users/index.ts';
import { countConsents, findMemberships } from './account-store.ts';

/** The caller's profile, and the deletion of their account. */
export class AccountService {
  readonly #gate: Gate;
  readonly #notify: Notify;

  constructor(gate: Gate, notify: Notify) {
    this.#gate = gate;
    this.#notify = notify;
  }

  getProfile(
    tenant: Tenant,
    { subject }: UserCaller,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<ProfileRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const metadata = (await findUserMetadata(tx, subject)) ?? fail('TOKEN_INVALID');
      return { user_id: subject, tenant_id: tenant.id, ...profileIn(metadata) };
    });
  }

  /** Changes the profile. The lock preserves concurrent changes to other members of `user_metadata`. */
  updateProfile(
    tenant: Tenant,
    caller: UserCaller,
    patch: BodyOf<typeof updateProfile>,
    fail: Fail<'VALIDATION_FAILED' | 'TOKEN_INVALID'>,
  ): Promise<ProfileRecord> {
    const { subject } = caller;
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const before = (await findUserMetadata(tx, subject, true)) ?? fail('TOKEN_INVALID');
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

  /** Everything that would end with the account of the caller. */
  previewDeletion(
    tenant: Tenant,
    { subject }: UserCaller,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<AccountDeletion> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
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

  /**
   * Deletes the account of the caller.
   * @param identifier an address of the caller, to confirm the deletion
   */
  async delete(
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
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      await requireOwnIdentifier(tx, userId, identifier, fail);
      // Notified first, because the verified addresses are deleted with the account.
      await this.#notify(tx, tenant, { userId, kind: 'notice.account_deleted' });
      await deleteOneself(tx, caller, fail);
    });
    return userId;
  }
}

async function requireOwnIdentifier(
  tx: TenantTx,
  userId: UserId,
  text: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const identifier = parseIdentifier(text)?.identifier;
  const user = await findUser(tx, userId);
  if (identifier && user?.identifiers.some((one) => one.identifier === identifier)) return;
  const message = 'must be one of your own addresses';
  fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}
