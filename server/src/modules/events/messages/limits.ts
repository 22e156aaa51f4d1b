import { createHmac } from 'node:crypto';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork, clientNetworks } from '../../../platform/http/client-network.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { UnverifiedShare } from './message.ts';
import { type CountedLimit, countMessage, countMessageIn, giveBackMessage } from './store.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Longer than a report may be late. */
const FEEDBACK_KEPT_SECONDS = DAY_SECONDS + HOUR_SECONDS;
/** Seconds between two messages to one recipient. */
export const RESEND_AFTER_SECONDS = 30;

/** Who is written to, and who asks for it. */
export interface Wanted {
  readonly destination: string;
  readonly address: string;
  /** Of whoever asks, if more is known of them than their address. */
  readonly name?: string | undefined;
  /** They have shown that the account of the destination is theirs, or an administrator asks. */
  readonly isKnown?: boolean;
}

/** A message that was asked for, and what it is counted against if it is sent. */
export interface Spent extends Pick<Wanted, 'destination' | 'isKnown'> {
  /** Of a phone number. */
  readonly country?: string | undefined;
  /** It is not sent: it is counted where it takes nothing from messages that are. */
  readonly isDecoy: boolean;
}

/**
 * Whether a message is written. `refused`: none are sent to this phone number. `country`: of a phone number.
 */
export type Admission =
  | { readonly outcome: 'admitted'; readonly country?: string }
  | { readonly outcome: 'wait'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'refused' };

/**
 * Counts a mail against the limits of whoever asks for it, which are the same whoever is written to, and whatever others
 * have asked for.
 * @returns seconds to wait, or undefined when it is admitted
 */
export type AdmitMessage = (tenant: TenantData, wanted: Wanted) => Promise<number | undefined>;

export function createAdmitMessage(now: () => Date): AdmitMessage {
  return (tenant, wanted) => countMessage(tenant, requesterLimits(wanted), now());
}

/** Of whoever asks: for one recipient, and for all. */
export function requesterLimits({ destination, address, name }: Wanted): CountedLimit[] {
  const by = (who: string, window: string, limit: number, seconds: number, recipient = '') =>
    limitOf(sha256(`message ${window} of ${who} ${recipient}`), limit, seconds);
  if (name !== undefined) {
    return [
      by(name, 'now', 1, RESEND_AFTER_SECONDS, destination),
      by(name, 'hour', 5, HOUR_SECONDS, destination),
      by(name, 'day', 10, DAY_SECONDS, destination),
      by(name, 'all', 100, HOUR_SECONDS),
    ];
  }
  const networks = clientNetworks(address);
  return [
    by(clientNetwork(address), 'now', 1, RESEND_AFTER_SECONDS, destination),
    ...networks.map((one) => by(one.name, 'hour', 5 * one.times, HOUR_SECONDS, destination)),
    ...networks.map((one) => by(one.name, 'day', 10 * one.times, DAY_SECONDS, destination)),
    ...networks.map((one) => by(one.name, 'all', 20 * one.times, HOUR_SECONDS)),
  ];
}

/** Of the recipient and of the tenant. The last part of each is for whoever has shown more than an address. */
export function budgetOf(
  { destination, country, isDecoy, isKnown = false }: Spent,
  config: Pick<TenantConfig, 'sms_hourly_limit' | 'sms_daily_limit' | 'sms_country_hourly_limit'>,
): CountedLimit[] {
  const limit = (subject: string, strangers: number, known: number, seconds: number) =>
    limitOf(
      sha256(`${isDecoy ? 'decoys of ' : ''}${subject}`),
      isKnown ? known : strangers,
      seconds,
    );
  const most = (subject: string, all: number, seconds: number) =>
    limit(subject, Math.ceil(all * SHARE_OF_STRANGERS), all, seconds);
  const ofRecipient = [
    limit(`recipient hour ${destination}`, 10, 20, HOUR_SECONDS),
    limit(`recipient day ${destination}`, 20, 40, DAY_SECONDS),
  ];
  if (country === undefined) return [...ofRecipient, most('messages', 1000, HOUR_SECONDS)];
  return [
    ...ofRecipient,
    most('sms hour', config.sms_hourly_limit, HOUR_SECONDS),
    most('sms day', config.sms_daily_limit, DAY_SECONDS),
    most(`sms ${country}`, config.sms_country_hourly_limit, HOUR_SECONDS),
  ];
}

/** Of the limits of a tenant. */
const SHARE_OF_STRANGERS = 0.75;
/** Messages a day to a recipient who is no verified user of the tenants that write. */
const UNVERIFIED = 20;

/** Messages handed to a server, for all tenants together, to recipients who are not verified users of the tenant. */
export interface Deliveries {
  /** @returns whether it may be handed over */
  count(destination: string, share: UnverifiedShare): Promise<boolean>;
  /** It was not accepted. */
  giveBack(destination: string, share: UnverifiedShare): Promise<void>;
}

export function createDeliveries(gate: Gate, masterKeys: MasterKeys, now: () => Date): Deliveries {
  // The same on every node, and after the rotation of the master key a new beginning.
  const key = masterKeys.derive('message recipients')[0] as Buffer;
  const subjectOf = (destination: string, share: UnverifiedShare) =>
    createHmac('sha256', key).update(`${share} ${destination}`).digest();
  // The counters belong to no tenant: the default one holds them.
  const data = gate.into(DEFAULT_TENANT);
  return {
    async count(destination, share) {
      const limit = limitOf(subjectOf(destination, share), UNVERIFIED, DAY_SECONDS);
      return (await countMessage(data, [limit], now())) === undefined;
    },
    giveBack: (destination, share) => giveBackMessage(data, subjectOf(destination, share), now()),
  };
}

function limitOf(subject: Buffer, limit: number, windowSeconds: number): CountedLimit {
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
