import { createHmac } from 'node:crypto';
import type { UserId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { type CountedLimit, countMessage, countMessageIn } from './store.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Longer than a report may be late. */
const FEEDBACK_KEPT_SECONDS = DAY_SECONDS + HOUR_SECONDS;
/** Seconds between two messages to one recipient. */
export const RESEND_AFTER_SECONDS = 30;

/** Who is written to, and from which address that was asked for. */
export interface Wanted {
  readonly destination: string;
  readonly address: string;
}

/**
 * Whether a message is written. `refused`: none are sent to this phone number. `country`: of a phone number.
 */
export type Admission =
  | { readonly outcome: 'admitted'; readonly country?: string }
  | { readonly outcome: 'wait'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'refused' };

/** Counts a mail before anything is written for it. @returns seconds to wait, or undefined when it is admitted */
export type AdmitMessage = (tenant: TenantData, wanted: Wanted) => Promise<number | undefined>;

export function createAdmitMessage(masterKeys: MasterKeys, now: () => Date): AdmitMessage {
  return (tenant, wanted) =>
    countMessage(
      tenant,
      [
        ...recipientLimits(wanted.destination, wanted.address),
        limitOf(sha256('messages'), 1000, HOUR_SECONDS),
      ],
      installationLimits(masterKeys, wanted),
      now(),
    );
}

/** Of a recipient in a tenant, and of who asks. */
export function recipientLimits(destination: string, address: string): CountedLimit[] {
  const recipient = (window: string) => sha256(`message ${window} ${destination}`);
  return [
    limitOf(recipient('now'), 1, RESEND_AFTER_SECONDS),
    limitOf(recipient('hour'), 5, HOUR_SECONDS),
    limitOf(recipient('day'), 10, DAY_SECONDS),
    limitOf(sha256(`messages from ${clientNetwork(address)}`), 20, HOUR_SECONDS),
  ];
}

/** Of a recipient in the installation, by an HMAC: many tenants could write to one. */
export function installationLimits(
  masterKeys: MasterKeys,
  { destination }: Wanted,
): CountedLimit[] {
  // The same on every node, and after the rotation of the master key a new beginning.
  const key = masterKeys.derive('message recipients')[0] as Buffer;
  const everywhere = createHmac('sha256', key).update(destination).digest();
  return [limitOf(everywhere, 20, DAY_SECONDS)];
}

export function limitOf(subject: Buffer, limit: number, windowSeconds: number): CountedLimit {
  return { subject, limit, windowSeconds };
}

/**
 * Notices of changes, which a user may cause at will. Those that undo something are counted by themselves: others must not
 * keep them from being sent.
 * @returns whether it is admitted
 */
export async function admitNotice(
  tx: TenantTx,
  destination: string,
  counted: 'notice' | 'undo',
): Promise<boolean> {
  const subject = sha256(`${counted} ${destination}`);
  return (await countMessageIn(tx, [limitOf(subject, 20, DAY_SECONDS)])) === undefined;
}

/** A notice of what others can cause. @returns whether the user was not told of it within this time */
export async function admitRepeated(
  tx: TenantTx,
  kind: string,
  userId: UserId,
  windowSeconds: number,
): Promise<boolean> {
  const subject = sha256(`${kind} ${userId}`);
  return (await countMessageIn(tx, [limitOf(subject, 1, windowSeconds)])) === undefined;
}

/** Tests, which go to any address. @returns seconds to wait, or undefined when it is admitted */
export function admitTest(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [limitOf(sha256('test messages'), 10, HOUR_SECONDS)]);
}

/** Reports of mail providers. @returns seconds to wait, or undefined when it is admitted */
export function admitFeedback(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [limitOf(sha256('feedback'), 600, MINUTE_SECONDS)]);
}

/** Remembers the id of a report. @returns whether it is unknown so far */
export async function isFirstReport(tx: TenantTx, id: string): Promise<boolean> {
  const seen = limitOf(sha256(`feedback ${id}`), 1, FEEDBACK_KEPT_SECONDS);
  return (await countMessageIn(tx, [seen])) === undefined;
}
