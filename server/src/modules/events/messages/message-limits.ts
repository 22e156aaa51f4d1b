import { createHmac } from 'node:crypto';
import { DEFAULT_TENANT, type TenantId, type UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Clock } from '../../../platform/clock.ts';
import { clientNetwork, clientNetworks } from '../../../platform/http/client-network.ts';
import { countryOfPhone } from '../../../platform/phone.ts';
import { type Tenant, channelOf } from '../../../tenancy/tenant.ts';
import {
  counted,
  type CountedLimit,
  type CounterName,
  newcomer,
  type Subject,
} from '../../../tenancy/counters.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../journal/index.ts';
import {
  type AdmittedSms,
  countMessage,
  countMessageIn,
  countSms,
  countSmsRequest,
  countSmsRequestIn,
  giveBackMessage,
  pauseCountry,
  type SmsRequest,
} from './limit-store.ts';
import type { UnverifiedShare } from './message.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Longer than the maximum age of a report. */
const REPORT_STORED_SECONDS = DAY_SECONDS + HOUR_SECONDS;
/** Seconds between two messages to one recipient. */
export const RESEND_AFTER_SECONDS = 30;
/** An address that requests messages to many countries is probably committing toll fraud. */
const COUNTRIES_OF_ADDRESS = 5;
const PAUSE_SECONDS = 3600;
/** The share of a tenant's limits that unproven requesters can use. */
const SHARE_OF_STRANGERS = 0.75;
/** Messages per day to a recipient who is not a verified user of the sending tenants. */
const UNVERIFIED = 20;
/** The numbers of messages that are sent within an hour or a day. */
export const MESSAGE_LIMITS = {
  /** To one recipient, at the request of one network or user. */
  requested: { hourly: 5, daily: 10 },
  /** To all recipients, at the request of one network or one user. */
  ofNetworkHourly: 20,
  ofUserHourly: 100,
  /** To one recipient, at anyone's request. */
  received: { hourly: 20, daily: 40 },
  mailsOfTenantHourly: 1000,
  noticesDaily: 20,
  testsHourly: 10,
} as const;

/** The recipient of a message, and its requester. */
export interface MessageRequest {
  readonly destination: string;
  readonly address: string;
  /** Identifies the requester, if more is known than their address. */
  readonly name?: string | undefined;
  /** Whether the requester has proven to own the account of the destination, or is an administrator. */
  readonly isKnown?: boolean;
}

/** A requested message, and the limits that it counts against if it is sent. */
export interface Spent extends Pick<MessageRequest, 'destination' | 'address' | 'isKnown'> {
  /** Of a phone number. */
  readonly country?: string | undefined;
  /** The message is not sent, so it is counted separately and takes nothing from messages that are sent. */
  readonly isDecoy: boolean;
}

/** Whether a message is queued. `refused`: no message is sent to this number. `country`: of a phone number. */
export type Admission =
  | { readonly outcome: 'admitted'; readonly country?: string }
  | { readonly outcome: 'wait'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'refused' };

/**
 * Limits of requested messages. A requester learns only of their own limits, which depend neither on the recipient nor
 * on the requests of others. SMS has further limits because of its price. All limits are the same for an address or a
 * number that belongs to no user.
 */
export class MessageLimits {
  readonly #gate: Gate;
  readonly #clock: Clock;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Counts a message by email or SMS against its requester, before anything is written. */
  async admit(tenant: Tenant, request: MessageRequest): Promise<Admission> {
    if (channelOf(request.destination) === 'sms') return this.#admitSms(tenant, request);
    return admission(await this.admitMail(tenant.id, request));
  }

  /** Counts an email against its requester. @returns seconds to wait, or undefined if it is admitted */
  admitMail(tenantId: TenantId, request: MessageRequest): Promise<number | undefined> {
    return countMessage(this.#gate.into(tenantId), requesterLimits(request), this.#clock.now());
  }

  /** Counts an SMS within a transaction, without pausing a country. */
  async admitSmsIn(tx: TenantTx, tenant: Tenant, request: MessageRequest): Promise<Admission> {
    const country = await countryOf(tenant.config, request.destination);
    if (country === undefined) return { outcome: 'refused' };
    return smsAdmission(await countSmsRequestIn(tx, smsRequest(request, country)), country);
  }

  /**
   * Counts a message against its recipient and the tenant. The requester does not learn the result.
   * @returns whether the message can be sent
   */
  async spend({ id, config }: Tenant, spent: Spent): Promise<boolean> {
    const limits = budgetOf(spent, config);
    return (await countMessage(this.#gate.into(id), limits, this.#clock.now())) === undefined;
  }

  /** Counts a used code, if it came by SMS. */
  async countRedeemed(tenant: Tenant, identifier: string): Promise<void> {
    if (channelOf(identifier) !== 'sms') return;
    const country = await countryOf(tenant.config, identifier);
    if (country === undefined) return;
    await this.#gate.into(tenant.id).transaction((tx) => countSms(tx, country, { redeemed: 1 }));
  }

  async #admitSms(tenant: Tenant, request: MessageRequest): Promise<Admission> {
    const country = await countryOf(tenant.config, request.destination);
    if (country === undefined) return { outcome: 'refused' };
    const data = this.#gate.into(tenant.id);
    const now = this.#clock.now();
    // Messages of unproven requesters do not delay requesters who have proven more than an address.
    if (request.isKnown) {
      return admission(await countMessage(data, requesterLimits(request), now), country);
    }
    const admitted = await countSmsRequest(data, smsRequest(request, country), now);
    if (admitted.isFailing) await data.transaction((tx) => pause(tx, country));
    return smsAdmission(admitted, country);
  }
}

/** Counts messages handed over, for all tenants together, to recipients who are not verified users of the tenant. */
export class UnverifiedDeliveries {
  readonly #key: Buffer;
  readonly #data: TenantData;
  readonly #clock: Clock;

  constructor(gate: Gate, masterKeys: MasterKeys, clock: Clock) {
    // The key is the same on every node. After the rotation of the master key, the counters start again.
    this.#key = masterKeys.derive('message recipients')[0] as Buffer;
    // The counters belong to no tenant: the default one stores them.
    this.#data = gate.into(DEFAULT_TENANT);
    this.#clock = clock;
  }

  /** Counts a message. @returns whether it can be handed over */
  async count(destination: string, share: UnverifiedShare): Promise<boolean> {
    const limit = limitOf(this.#subjectOf(destination, share), UNVERIFIED, DAY_SECONDS);
    return (await countMessage(this.#data, [limit], this.#clock.now())) === undefined;
  }

  /** Gives back the count of a message that the server did not accept. */
  giveBack(destination: string, share: UnverifiedShare): Promise<void> {
    return giveBackMessage(this.#data, this.#subjectOf(destination, share), this.#clock.now());
  }

  #subjectOf(destination: string, share: UnverifiedShare): Subject {
    const mac = createHmac('sha256', this.#key).update(`${share} ${destination}`).digest('hex');
    return counted('delivery', mac);
  }
}

/** Limits of a requester: for one recipient, and for all recipients. */
function requesterLimits({ destination, address, name }: MessageRequest): CountedLimit[] {
  const { requested, ofNetworkHourly, ofUserHourly } = MESSAGE_LIMITS;
  const by = (counter: CounterName, limit: number, seconds: number, ...key: readonly string[]) =>
    limitOf(counted(counter, ...key), limit, seconds);
  if (name !== undefined) {
    return [
      by('message now', 1, RESEND_AFTER_SECONDS, name, destination),
      by('message hour', requested.hourly, HOUR_SECONDS, name, destination),
      by('message day', requested.daily, DAY_SECONDS, name, destination),
      by('messages of requester', ofUserHourly, HOUR_SECONDS, name),
    ];
  }
  const networks = clientNetworks(address);
  const network = clientNetwork(address);
  return [
    by('message now', 1, RESEND_AFTER_SECONDS, network, destination),
    ...networks.map((candidate) =>
      by(
        'message hour',
        requested.hourly * candidate.times,
        HOUR_SECONDS,
        candidate.name,
        destination,
      ),
    ),
    ...networks.map((candidate) =>
      by(
        'message day',
        requested.daily * candidate.times,
        DAY_SECONDS,
        candidate.name,
        destination,
      ),
    ),
    ...networks.map((candidate) =>
      by('messages of requester', ofNetworkHourly * candidate.times, HOUR_SECONDS, candidate.name),
    ),
  ];
}

/**
 * Limits of the recipient and of the tenant. Networks with recent requests can use a part of each limit, new networks a
 * larger part, and requesters who have proven more than an address all of it.
 */
function budgetOf(
  { destination, address, country, isDecoy, isKnown = false }: Spent,
  config: Pick<TenantConfig, 'sms_hourly_limit' | 'sms_daily_limit' | 'sms_country_hourly_limit'>,
): CountedLimit[] {
  const { received, mailsOfTenantHourly } = MESSAGE_LIMITS;
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
    part('recipient hour', received.hourly, 0.5, HOUR_SECONDS, destination),
    part('recipient day', received.daily, 0.5, DAY_SECONDS, destination),
    newcomer('messages newcomer', address, kind),
  ];
  if (country === undefined)
    return [...ofRecipient, ofTenant('emails of tenant', mailsOfTenantHourly, HOUR_SECONDS)];
  return [
    ...ofRecipient,
    ofTenant('sms hour', config.sms_hourly_limit, HOUR_SECONDS),
    ofTenant('sms day', config.sms_daily_limit, DAY_SECONDS),
    ofTenant('sms country', config.sms_country_hourly_limit, HOUR_SECONDS, country),
  ];
}

function limitOf(subject: Subject, limit: number, windowSeconds: number): CountedLimit {
  return { subject, limit, windowSeconds };
}

/**
 * Counts a notice of a change, which a user can cause at will. Notices that undo something have their own counter,
 * which other notices must not use up.
 * @returns whether the notice is admitted
 */
export async function admitNotice(
  tx: TenantTx,
  destination: string,
  counter: 'notice' | 'undo notice',
): Promise<boolean> {
  const subject = counted(counter, destination);
  return (
    (await countMessageIn(tx, [limitOf(subject, MESSAGE_LIMITS.noticesDaily, DAY_SECONDS)])) ===
    undefined
  );
}

/** Counts a notice that others can cause. @returns whether it is the first to the user within this time */
export async function admitRepeated(
  tx: TenantTx,
  kind: string,
  userId: UserId,
  windowSeconds: number,
): Promise<boolean> {
  const subject = counted('repeated notice', kind, userId);
  return (await countMessageIn(tx, [limitOf(subject, 1, windowSeconds)])) === undefined;
}

/** Counts a test, which goes to any address. @returns seconds to wait, or undefined if it is admitted */
export function admitTest(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [
    limitOf(counted('test message'), MESSAGE_LIMITS.testsHourly, HOUR_SECONDS),
  ]);
}

/** Counts a report of an email provider. @returns seconds to wait, or undefined if it is admitted */
export function admitFeedback(tx: TenantTx): Promise<number | undefined> {
  return countMessageIn(tx, [limitOf(counted('feedback'), 600, MINUTE_SECONDS)]);
}

/** Remembers the ID of a report. @returns whether it is new */
export async function isFirstReport(tx: TenantTx, id: string): Promise<boolean> {
  const seen = limitOf(counted('feedback report', id), 1, REPORT_STORED_SECONDS);
  return (await countMessageIn(tx, [seen])) === undefined;
}

type Countries = Pick<Tenant['config'], 'sms_countries'>;

/** The country of a number, if messages are sent to it. */
async function countryOf(
  { sms_countries: countries }: Countries,
  number: string,
): Promise<string | undefined> {
  // A tenant without countries does not load the table of numbers.
  if (countries.length === 0) return undefined;
  const country = await countryOfPhone(number);
  return country !== undefined && countries.includes(country) ? country : undefined;
}

/** Whether messages are sent to a number. */
export async function receivesSms(config: Countries, number: string): Promise<boolean> {
  return (await countryOf(config, number)) !== undefined;
}

function smsRequest(request: MessageRequest, country: string): SmsRequest {
  const networks = clientNetworks(request.address);
  return {
    country,
    seen: networks.map(({ name }) => counted('sms seen', name, country)),
    networks: networks.map(({ name }) => counted('sms countries', name)),
    countries: networks.map(({ times }) => times * COUNTRIES_OF_ADDRESS),
    limits: requesterLimits(request),
  };
}

function smsAdmission({ retryAfterSeconds, isFailing }: AdmittedSms, country: string): Admission {
  return admission(isFailing ? PAUSE_SECONDS : retryAfterSeconds, country);
}

function admission(retryAfterSeconds: number | undefined, country?: string): Admission {
  return retryAfterSeconds === undefined
    ? { outcome: 'admitted', ...(country !== undefined && { country }) }
    : { outcome: 'wait', retryAfterSeconds };
}

/** Pauses messages to a country. Only one of several concurrent requests records it. */
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
