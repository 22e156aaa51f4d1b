import type { UserId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { admitNotice, admitRepeated } from './message-limits.ts';
import type { QueueMessage } from './message-queue.ts';
import {
  findAdministrators,
  findFirstIdentifier,
  findSenderIn,
  type Sender,
} from './message-store.ts';
import type { LoginsChange } from './message.ts';

/** After which a notice is not news. */
const NOTICE_EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000;

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
        expiresAt: new Date(tx.now.getTime() + NOTICE_EXPIRES_AFTER_MS),
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

const MOST_CHARACTERS = 200;

/**
 * Notifies the administrators of a tenant in the transaction of the change. No limit applies: an attacker must not be able
 * to use it up first.
 */
export type NotifyAdministrators = (
  tx: TenantTx,
  by: Caller,
  change: LoginsChange,
) => Promise<void>;

export function createNotifyAdministrators(
  queueMessage: QueueMessage,
  canSend: (sender: Sender) => boolean,
): NotifyAdministrators {
  return async (tx, by, { what, changed, formerEmail }) => {
    const sender = await findSenderIn(tx);
    if (!sender) return;
    const former = formerEmail && {
      ...sender,
      messaging: { ...sender.messaging, email: formerEmail },
    };
    const isThroughFormer = former !== undefined && canSend(former);
    if (!isThroughFormer && !canSend(sender)) return;
    const actor = await findNameOf(tx, by);
    const vars = {
      what,
      changed: changed.slice(0, MOST_CHARACTERS),
      time: tx.now.toISOString(),
      ...(actor === undefined ? {} : { actor }),
    };
    for (const { id, address } of await findAdministrators(tx)) {
      await queueMessage(tx, {
        kind: 'notice.logins_changed',
        channel: 'email',
        destination: address,
        userId: id,
        challengeId: null,
        locale: undefined,
        vars,
        expiresAt: new Date(tx.now.getTime() + NOTICE_EXPIRES_AFTER_MS),
        through: isThroughFormer ? formerEmail : undefined,
      });
    }
  };
}

/** The first identifier of a user of the tenant; undefined: a system administrator. */
async function findNameOf(tx: TenantTx, by: Caller): Promise<string | undefined> {
  // Only users in person and impersonators can make such a change.
  if (by.kind !== 'user' || by.claims.tenant_id !== tx.tenantId) return undefined;
  return (await findFirstIdentifier(tx, by.subject)) ?? by.subject;
}

/** Each before those whose User-Agent contains it, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser and a system, as people call them. */
interface NamedDevice {
  readonly browser?: string;
  readonly system?: string;
}

/**
 * What notices name of a User-Agent, such as `Firefox` and `Windows`. Only names of this list: whoever causes a notice must
 * not write part of it.
 */
export function describeDevice(userAgent: string | null | undefined): NamedDevice {
  const nameIn = (list: typeof BROWSERS) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return { ...(browser && { browser }), ...(system && { system }) };
}
