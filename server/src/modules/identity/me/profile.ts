import type { Fail } from '@keywright/contract/errors';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import type { BodyOf } from '@keywright/contract/route';
import type { updateProfile as updateProfileRoute } from '@keywright/contract/routes/profile';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  profileIn,
  recordUpdate,
  requireGoodMetadata,
  updateUserRow,
  withProfile,
} from '../users/index.ts';
import { findOwnMetadata, lockOwnMetadata } from './profile-store.ts';

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
