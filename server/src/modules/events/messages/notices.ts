import type { UserId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import { describeDevice } from '../../../platform/http/user-agent.ts';
import type { Caller, Device } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findFirstIdentifier, listVerifiedAddresses } from '../../identity/users/index.ts';
import { admitNotice, admitRepeated } from './message-limits.ts';
import type { MessageQueue } from './message-queue.ts';
import type { MessageSender } from './message-sender.ts';
import { findAdministrators, findSenderIn } from './message-store.ts';
import type { LoginsChange } from './message.ts';

/** A notice older than this is dropped as outdated. */
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000;
const MOST_CHARACTERS = 200;

/** The User-Agent and the address of a request. */
export type RequestingDevice = Pick<Device, 'from' | 'userAgent'>;

interface Notice {
  readonly userId: UserId;
  readonly kind: Extract<MessageKind, `notice.${string}`>;
  /** The request that made the change. */
  readonly device?: RequestingDevice;
  /** The identifier that the notice is about. */
  readonly changed?: string;
  /** For changes that others can cause: the user is notified at most once in this period. */
  readonly oncePerSeconds?: number;
  /**
   * Creates the row whose secret the message to an address contains, in the same transaction.
   * @returns its ID; null if the message contains no secret
   */
  readonly secretFor?: (destination: string) => Promise<string | null>;
  /** Addresses that have already been notified. */
  readonly except?: readonly string[];
}

/** Notifies users and administrators of changes, in the transaction of the change. */
export class Notices {
  readonly #queue: MessageQueue;
  readonly #sender: MessageSender;

  constructor(queue: MessageQueue, sender: MessageSender) {
    this.#queue = queue;
    this.#sender = sender;
  }

  /** Notifies a user of a change to their account, at all their verified addresses. @returns these addresses */
  async notify(tx: TenantTx, tenant: Tenant, notice: Notice): Promise<readonly string[]> {
    const { userId, kind, device, changed, oncePerSeconds, secretFor, except = [] } = notice;
    if (!tenant.sendsMail) return [];
    if (oncePerSeconds && !(await admitRepeated(tx, kind, userId, oncePerSeconds))) return [];
    const time = tx.now.toISOString();
    const all = await listVerifiedAddresses(tx, userId);
    const addresses = all.filter((address) => !except.includes(address));
    for (const destination of addresses) {
      if (!(await admitNotice(tx, destination, secretFor ? 'undo notice' : 'notice'))) continue;
      await this.#queue.enqueue(tx, {
        kind,
        channel: 'email',
        destination,
        userId,
        challengeId: (await secretFor?.(destination)) ?? null,
        // Not the locale of the request: the attacker that the notice warns about would choose it.
        locale: undefined,
        vars: { time, ...(device && describeRequest(device)), ...(changed && { changed }) },
        expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS),
      });
    }
    return addresses;
  }

  /**
   * Notifies the administrators of a tenant of a change to how users log in. No limit applies, because an attacker
   * could use it up first.
   */
  async notifyAdministrators(
    tx: TenantTx,
    by: Caller,
    { what, changed, formerEmail }: LoginsChange,
  ): Promise<void> {
    const sender = await findSenderIn(tx);
    if (!sender) return;
    const former = formerEmail && {
      ...sender,
      messaging: { ...sender.messaging, email: formerEmail },
    };
    const isThroughFormer = former !== undefined && this.#sender.canSendMail(former);
    if (!isThroughFormer && !this.#sender.canSendMail(sender)) return;
    const actor = await findActorName(tx, by);
    const vars = {
      what,
      changed: changed.slice(0, MOST_CHARACTERS),
      time: tx.now.toISOString(),
      ...(actor === undefined ? {} : { actor }),
    };
    for (const { id, address } of await findAdministrators(tx)) {
      await this.#queue.enqueue(tx, {
        kind: 'notice.logins_changed',
        channel: 'email',
        destination: address,
        userId: id,
        challengeId: null,
        locale: undefined,
        vars,
        expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS),
        through: isThroughFormer ? formerEmail : undefined,
      });
    }
  }
}

/** The first identifier of a user of the tenant; undefined for a system administrator. */
async function findActorName(tx: TenantTx, by: Caller): Promise<string | undefined> {
  // Only users themselves and impersonators can make such a change.
  if (by.kind !== 'user' || by.claims.tenant_id !== tx.tenantId) return undefined;
  return (await findFirstIdentifier(tx, by.subject)) ?? by.subject;
}

/** The values of a message that describe a request. */
export function describeRequest({ userAgent, from: { address } }: RequestingDevice) {
  return { ...describeDevice(userAgent), ip_address: address };
}
