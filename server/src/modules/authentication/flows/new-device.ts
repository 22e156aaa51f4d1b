import type { UserId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notify } from '../../events/messages/index.ts';
import { hasLoggedInBefore } from './new-device-store.ts';

/** Tells a user of a login from a new device, after its session was opened. Known devices do not come here. */
export type TellOfDevice = (
  tenant: Tenant,
  userId: UserId,
  userAgent: string | null,
) => Promise<void>;

export function createTellOfDevice(gate: Gate, notify: Notify): TellOfDevice {
  return async (tenant, userId, device) => {
    const { notify_new_device: isOn, refresh_token_absolute_ttl: lifeSeconds } = tenant.config;
    if (!isOn || !tenant.sendsMail) return;
    await gate.into(tenant.id).transaction(async (tx) => {
      if (!(await hasLoggedInBefore(tx, userId, lifeSeconds))) return;
      await notify(tx, tenant, { userId, kind: 'notice.new_device', device });
    });
  };
}
