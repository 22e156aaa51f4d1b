import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { lockUser, raiseAuthVersion } from '../../identity/users/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type { Shown } from '../proofs/index.ts';
import { insertIdentity, lockActiveProvider, takeWaitingIdentity } from './identity-store.ts';

/** An identity that a user gets. */
interface Link {
  readonly providerId: IdentityProviderId;
  readonly subject: string;
  /** The settings that it was confirmed under. */
  readonly source: string;
}

/** Links an identity to a user who is new, or locked. @returns undefined if it cannot be linked */
export async function linkIdentity(
  { tx, tenant, notify, by }: LinkDependencies,
  userId: UserId,
  { providerId, subject, source }: Link,
): Promise<number | undefined> {
  const provider = await lockActiveProvider(tx, providerId);
  // The provider may have another issuer since.
  if (!provider || provider.source !== source) return undefined;
  const { name } = provider;
  if (!(await insertIdentity(tx, userId, providerId, subject))) return undefined;
  await record(tx, by, {
    action: 'identity.linked',
    target: { kind: 'user', id: userId },
    details: { provider_id: providerId },
    events: [{ type: 'identity.linked', data: { user_id: userId, provider_id: providerId } }],
  });
  await notify(tx, tenant, { userId, kind: 'notice.identity_linked', changed: name });
  return raiseAuthVersion(tx, userId);
}

export interface LinkDependencies {
  readonly tx: TenantTx;
  readonly tenant: Tenant;
  readonly notify: Notify;
  readonly by: Actor;
}

interface Linked {
  /** The new version of the user. */
  readonly authVersion: number;
  readonly provider: IdentityProviderId;
}

/** Links the identity that waits for the proof of this account. @returns undefined if it cannot be linked */
export async function linkWaiting(
  dependencies: LinkDependencies,
  flow: LoginFlowId,
  { userId: id, authVersion }: Shown,
): Promise<Linked | undefined> {
  const { tx } = dependencies;
  const waiting = await takeWaitingIdentity(tx, flow, id);
  if (!waiting || !(await lockUser(tx, { id, authVersion }))) return undefined;
  const version = await linkIdentity(dependencies, id, waiting);
  return version === undefined ? undefined : { authVersion: version, provider: waiting.providerId };
}
