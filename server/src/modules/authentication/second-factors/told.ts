import type { UserId } from '@keywright/contract/ids';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly notify: Notify;
}

/** Notifies a user of a refused second factor: the caller has already proven the password or the mailbox. */
export async function tellOfRefusal(
  { gate, notify }: Dependencies,
  tenant: Tenant,
  userId: UserId,
  { userAgent: device }: Device,
): Promise<void> {
  if (!tenant.sendsMail) return;
  const kind = 'notice.second_factor_refused';
  await gate
    .into(tenant.id)
    .transaction((tx) => notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 }));
}
