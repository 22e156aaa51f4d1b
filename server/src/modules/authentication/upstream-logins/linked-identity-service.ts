import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { lockOneself, raiseAuthVersion } from '../../identity/users/index.ts';
import { handoffHash } from './upstream-login-secrets.ts';
import { linkIdentity, deleteIdentity, findIdentities } from '../identity-providers/index.ts';
import { findWays, hasAWay } from '../login-methods/index.ts';
import { findIdentity, findLinked, takeHandoff } from './upstream-login-store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly notify: Notify;
}

export function listOwn(data: TenantData, { subject }: UserCaller): Promise<IdentityRecord[]> {
  return data.transaction((tx) => findIdentities(tx, subject));
}

/** Links the identity that a provider returned to the user who started the login. */
export function linkOwn(
  { gate, notify }: Dependencies,
  tenant: Tenant,
  caller: UserCaller,
  handoff: string,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'PROVIDER_REFUSED' | 'IDENTITY_TAKEN'>,
): Promise<IdentityRecord> {
  const { subject: userId } = caller;
  const hash = handoffHash(handoff);
  return gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const { providerId, identity } =
      (await findIdentity(tx, userId, hash)) ?? fail('PROVIDER_REFUSED');
    if (!(await takeHandoff(tx, userId, hash))) fail('PROVIDER_REFUSED');
    const linked = await findLinked(tx, providerId, identity.subject);
    if (linked?.id !== userId) {
      const given = { tx, tenant, notify, by: caller };
      const { subject, source } = identity;
      const link = { providerId, subject, source };
      if (linked || !(await linkIdentity(given, userId, link))) fail('IDENTITY_TAKEN');
    }
    const own = await findIdentities(tx, userId);
    return own.find((one) => one.provider_id === providerId) ?? fail('PROVIDER_REFUSED');
  });
}

export async function unlinkOwn(
  { gate, notify }: Dependencies,
  tenant: Tenant,
  caller: UserCaller,
  id: string,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'LAST_LOGIN_METHOD'>,
): Promise<IdentityProviderId> {
  const { subject: userId } = caller;
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  await gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const own = await findIdentities(tx, userId);
    const { name } = own.find((one) => one.provider_id === providerId) ?? fail('NOT_FOUND');
    await deleteIdentity(tx, userId, providerId);
    // As the account would be without it.
    if (!hasAWay(tenant, await findWays(tx, userId))) fail('LAST_LOGIN_METHOD');
    await raiseAuthVersion(tx, userId);
    await record(tx, caller, {
      action: 'identity.unlinked',
      target: { kind: 'user', id: userId },
      details: { provider_id: providerId },
      events: [{ type: 'identity.unlinked', data: { user_id: userId, provider_id: providerId } }],
    });
    await notify(tx, tenant, { userId, kind: 'notice.identity_unlinked', changed: name });
  });
  return providerId;
}
