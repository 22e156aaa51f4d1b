import type { Fail } from '@keywright/contract/errors';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { writeUser } from '../../identity/users/index.ts';
import { type FlowUser, inviteeOf, type StoredFlow } from '../flows/index.ts';
import { reclaim, release } from './account.ts';

/**
 * The account of the person who was invited, without credentials: a new one; or that of the address, which no user has
 * proven and anyone may have registered. The token came by mail, so it proves the address as a code does.
 */
export async function settleInvitee(
  tx: TenantTx,
  tenant: Tenant,
  flow: StoredFlow,
  { notify, from }: { readonly notify: Notify; readonly from: Origin },
  fail: Fail<'FLOW_ENDED'>,
): Promise<FlowUser> {
  const { user, identifier } = flow;
  const { createdAt, ...invitee } = inviteeOf(flow);
  const { id } = invitee;
  if (user?.id === id) {
    const reclaimed = await reclaim(tx, user, identifier, from);
    if (!reclaimed || reclaimed === 'reserved') return fail('FLOW_ENDED');
    const kind = 'notice.account_reclaimed';
    await notify(tx, tenant, { userId: id, kind, changed: identifier });
    return { ...invitee, authVersion: reclaimed.authVersion };
  }
  if (user) await release(tx, user, identifier, from);
  const newcomer = { type: 'email', identifier, verified: true, roles: [], id, createdAt } as const;
  if (!(await writeUser(tx, anonymous(from), newcomer))) fail('FLOW_ENDED');
  return invitee;
}
