import { createHmac } from 'node:crypto';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { clientNetwork, clientNetworks } from '../../../platform/http/client-network.ts';
import { countryOfPhone } from '../../../platform/phone.ts';
import { channelOf } from '../../../tenancy/channels.ts';
import {
  counted,
  type CountedLimit,
  type CounterName,
  newcomer,
  type Subject,
} from '../../../tenancy/counters.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../journal/index.ts';
import { countMessage, countMessageIn, giveBackMessage } from './message-store.ts';
import type { UnverifiedShare } from './message.ts';
import {
  type AdmittedSms,
  countSms,
  countWanted,
  countWantedIn,
  pauseCountry,
  type WantedSms,
} from './sms-traffic-store.ts';

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
export interface Spent extends Pick<Wanted, 'destination' | 'address' | 'isKnown'> {
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
function requesterLimits({ destination, address, name }: Wanted): CountedLimit[] {
  const by = (counter: CounterName, limit: number, seconds: number, ...key: readonly string[]) =>
    limitOf(counted(counter, ...key), limit, seconds);
  if (name !== undefined) {
    return [
      by('message now', 1, RESEND_AFTER_SECONDS, name, destination),
      by('message hour', 5, HOUR_SECONDS, name, destination),
      by('message day', 10, DAY_SECONDS, name, destination),
      by('messages of requester', 100, HOUR_SECONDS, name),
    ];
  }
  const all = clientNetworks(address);
  const own = clientNetwork(address);
  return [
    by('message now', 1, RESEND_AFTER_SECONDS, own, destination),
    ...all.map((one) => by('message hour', 5 * one.times, HOUR_SECONDS, one.name, destination)),
    ...all.map((one) => by('message day', 10 * one.times, DAY_SECONDS, one.name, destination)),
    ...all.map((one) => by('messages of requester', 20 * one.times, HOUR_SECONDS, one.name)),
  ];
}

/**
 * Of the recipient and of the tenant. Of each, networks that have asked lately can use a part, new ones more, and
 * requesters that have proven more than an address all of it.
 */
export function budgetOf(
  { destination, address, country, isDecoy, isKnown = false }: Spent,
  config: Pick<TenantConfig, 'sms_hourly_limit' | 'sms_daily_limit' | 'sms_country_hourly_limit'>,
): CountedLimit[] {
  const kind = isDecoy ? 'decoy' : 'sent';
  const part = (
    counter: CounterName,
    all: number,
    strangers: number,
    windowSeconds: number,
    ...key: readonly string[]
  ) => {
    const limit = isKnown ? all : Math.ceil(all * strangers);
    const subject = counted(counter, ...key, kind);
    return { subject, limit, windowSeconds, reserve: Math.floor((all - limit) / 2) };
  };
  const ofTenant = (counter: CounterName, all: number, seconds: number, ...key: string[]) =>
    part(counter, all, SHARE_OF_STRANGERS, seconds, ...key);
  const ofRecipient = [
    newcomer('recipient newcomer', address, destination, kind),
    part('recipient hour', 20, 0.5, HOUR_SECONDS, destination),
    part('recipient day', 40, 0.5, DAY_SECONDS, destination),
    newcomer('messages newcomer', address, kind),
  ];
  if (country === undefined)
    return [...ofRecipient, ofTenant('mails of tenant', 1000, HOUR_SECONDS)];
  return [
    ...ofRecipient,
    ofTenant('sms hour', config.sms_hourly_limit, HOUR_SECONDS),
    ofTenant('sms day', config.sms_daily_limit, DAY_SECONDS),
    ofTenant('sms country', config.sms_country_hourly_limit, HOUR_SECONDS, country),
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
    counted('delivery', createHmac('sha256', key).update(`${share} ${destination}`).digest('hex'));
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

function limitOf(subject: Subject, limit: number, windowSeconds: number): CountedLimit {
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
  counter: 'notice' | 'undo notice',
): Promise<boolean> {
  const subject = counted(counter, destination);
  return (await countMessageIn(tx, [limitOf(subject, 20, DAY_SECONDS)])) === undefined;
}

/** A notice of what others can cause. @returns whether the user was not told of it within this time */
export async function admitRepeated(
  tx: TenantTx,
  kind: string,
  userId: UserId,
  windowSeconds: number,
): Promise<boolean> {
  const subject = counted('repeated notice', kind, userId);
  return (await countMessageIn(tx, [limitOf(subject, 1, windowSeconds)])) === undefined;
}

/** Tests, which go to any address. @returns seconds to wait, or undefined when it is admitted */
export function admitTest(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [limitOf(counted('test message'), 10, HOUR_SECONDS)]);
}

/** Reports of mail providers. @returns seconds to wait, or undefined when it is admitted */
export function admitFeedback(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [limitOf(counted('feedback'), 600, MINUTE_SECONDS)]);
}

/** Remembers the id of a report. @returns whether it is unknown so far */
export async function isFirstReport(tx: TenantTx, id: string): Promise<boolean> {
  const seen = limitOf(counted('feedback report', id), 1, FEEDBACK_KEPT_SECONDS);
  return (await countMessageIn(tx, [seen])) === undefined;
}

/** Whoever has numbers of many countries written to is after the price of the messages. */
const COUNTRIES_OF_ADDRESS = 5;
const PAUSE_SECONDS = 3600;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: { readonly now: () => Date };
}

/**
 * What keeps text messages from being sent for the money that they cost. All of it is the same for a number that nobody
 * has.
 */
export interface SmsLimits {
  /** Counts a message before anything is written for it. */
  admit(tenant: Tenant, wanted: Wanted): Promise<Admission>;
  /** The same within a transaction, which does not pause a country. */
  admitIn(tx: TenantTx, tenant: Tenant, wanted: Wanted): Promise<Admission>;
  /** Counts a code that was used, if it came by SMS. */
  countRedeemed(tenant: Tenant, identifier: string): Promise<void>;
}

export function createSmsLimits({ gate, clock }: Dependencies): SmsLimits {
  return {
    async admit(tenant, wanted) {
      const country = await countryOf(tenant.config, wanted.destination);
      if (country === undefined) return { outcome: 'refused' };
      const data = gate.into(tenant.id);
      // Whoever has shown more than an address is not held up by the messages of strangers.
      if (wanted.isKnown) {
        const wait = await countMessage(data, requesterLimits(wanted), clock.now());
        return admissionOf({ retryAfterSeconds: wait, isFailing: false }, country);
      }
      const admitted = await countWanted(data, smsOf(wanted, country), clock.now());
      if (admitted.isFailing) await data.transaction((tx) => pause(tx, country));
      return admissionOf(admitted, country);
    },
    async admitIn(tx, tenant, wanted) {
      const country = await countryOf(tenant.config, wanted.destination);
      if (country === undefined) return { outcome: 'refused' };
      return admissionOf(await countWantedIn(tx, smsOf(wanted, country)), country);
    },
    async countRedeemed(tenant, identifier) {
      if (channelOf(identifier) !== 'sms') return;
      const country = await countryOf(tenant.config, identifier);
      if (country === undefined) return;
      await gate.into(tenant.id).transaction((tx) => countSms(tx, country, { redeemed: 1 }));
    },
  };
}

type Countries = Pick<Tenant['config'], 'sms_countries'>;

/** The country of a number that messages are sent to. */
async function countryOf(
  { sms_countries: countries }: Countries,
  number: string,
): Promise<string | undefined> {
  // Without a country, no number is looked at.
  if (countries.length === 0) return undefined;
  const country = await countryOfPhone(number);
  return country !== undefined && countries.includes(country) ? country : undefined;
}

/** Whether messages are sent to a number. */
export async function receivesSms(config: Countries, number: string): Promise<boolean> {
  return (await countryOf(config, number)) !== undefined;
}

function smsOf(wanted: Wanted, country: string): WantedSms {
  const networks = clientNetworks(wanted.address);
  return {
    country,
    seen: networks.map(({ name }) => counted('sms seen', name, country)),
    networks: networks.map(({ name }) => counted('sms countries', name)),
    countries: networks.map(({ times }) => times * COUNTRIES_OF_ADDRESS),
    limits: requesterLimits(wanted),
  };
}

function admissionOf({ retryAfterSeconds, isFailing }: AdmittedSms, country: string): Admission {
  if (isFailing) return { outcome: 'wait', retryAfterSeconds: PAUSE_SECONDS };
  return retryAfterSeconds === undefined
    ? { outcome: 'admitted', country }
    : { outcome: 'wait', retryAfterSeconds };
}

/** Of concurrent requests, one records it. */
async function pause(tx: TenantTx, country: string): Promise<void> {
  const until = new Date(tx.now.getTime() + PAUSE_SECONDS * 1000);
  const traffic = await pauseCountry(tx, country, until);
  if (!traffic) return;
  const details = { country, ...traffic, paused_until: until.toISOString() };
  await record(
    tx,
    { kind: 'system', name: 'messages' },
    {
      action: 'sms.paused',
      target: { kind: 'tenant', id: tx.tenantId },
      outcome: 'failure',
      details,
      events: [{ type: 'sms.paused', data: details }],
    },
  );
}
