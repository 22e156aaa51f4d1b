import type { MessageKind } from '@keywright/contract/messages';
import type { UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { describeDevice } from './device.ts';
import { admitNotice, admitRepeated } from './limits.ts';
import type { QueueMessage } from './service.ts';

/** After which a notice is not news. */
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000;

interface Notice {
  readonly userId: UserId;
  readonly kind: Extract<MessageKind, `notice.${string}`>;
  /** The User-Agent that it was done with. */
  readonly device?: string | null;
  /** The identifier that it is about. */
  readonly changed?: string;
  /** For what others can cause: the user is told once in this time. */
  readonly oncePerSeconds?: number;
  /** In the same transaction: what the message to an address has a secret for. Null: nothing. */
  readonly secretFor?: (destination: string) => Promise<string | null>;
  /** Addresses that have been told. */
  readonly except?: readonly string[];
}

/** Tells a user of a change of their account, at all their verified addresses, in the transaction of the change. @returns those */
export type Notify = (tx: TenantTx, tenant: Tenant, notice: Notice) => Promise<readonly string[]>;

export function createNotify(queueMessage: QueueMessage): Notify {
  return async (tx, { sendsMail }, notice) => {
    const { userId, kind, device, changed, oncePerSeconds, secretFor, except = [] } = notice;
    if (!sendsMail) return [];
    if (oncePerSeconds && !(await admitRepeated(tx, kind, userId, oncePerSeconds))) return [];
    const time = tx.now.toISOString();
    const all = await listAddresses(tx, userId);
    const addresses = all.filter((one) => !except.includes(one));
    for (const destination of addresses) {
      if (!(await admitNotice(tx, destination, secretFor ? 'undo notice' : 'notice'))) continue;
      await queueMessage(tx, {
        kind,
        channel: 'email',
        destination,
        userId,
        challengeId: (await secretFor?.(destination)) ?? null,
        // Not that of the request: whoever it warns of would choose it.
        locale: undefined,
        vars: { time, ...describeDevice(device), ...(changed && { changed }) },
        expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS),
      });
    }
    return addresses;
  };
}

async function listAddresses(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'email')
    .where('verified', '=', true)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.identifier);
}
