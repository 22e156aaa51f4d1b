import { clientNetworks } from '../../../../platform/http/client-network.ts';
import { countryOfPhone } from '../../../../platform/phone.ts';
import { channelOf } from '../../../../tenancy/channels.ts';
import { counted } from '../../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../../tenancy/gate.ts';
import type { Tenant } from '../../../../tenancy/tenant.ts';
import { record } from '../../journal/index.ts';
import { countMessage } from '../store.ts';
import { type Admission, requesterLimits, type Wanted } from '../limits.ts';
import {
  type AdmittedSms,
  countSms,
  countWanted,
  countWantedIn,
  pauseCountry,
  type WantedSms,
} from './traffic-store.ts';

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
