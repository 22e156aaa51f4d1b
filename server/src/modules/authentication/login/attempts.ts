import type { RateLimit } from '@keywright/contract/errors';
import { clientNetworks } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted, type CountedLimit, newcomer } from '../../../tenancy/counters.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Attempt } from '../attempts/index.ts';
import type { KnownDevice } from '../flows/index.ts';

const ADDRESS_FACTOR = 10;
/** Per day: 100 failures by default (NIST SP 800-63B-4 §3.2.2), and as many again for new networks. */
const DAY_FACTOR = 10;
const DAY_SECONDS = 24 * 60 * 60;

/** The kinds of wider networks, by how many times the limit of an address they have. */
const KIND_OF: Readonly<Record<number, Attempt['kind']>> = { 4: 'site', 16: 'range' };

/** One counter of a login, with its limit. */
export interface LoginLimit extends Attempt, CountedLimit {}

/** The counters of a login. */
export function attemptsOf(
  { config }: Tenant,
  from: Origin,
  identifier: string,
  device: KnownDevice | undefined,
): LoginLimit[] {
  const { login_attempts_limit: limit, login_attempts_window: windowSeconds } = config;
  const ofAddress = config.login_attempts_address_limit ?? ADDRESS_FACTOR * limit;
  const ofDay = DAY_FACTOR * limit;
  const attempts: LoginLimit[] = [
    ...clientNetworks(from.address).map(({ name, times }) => ({
      kind: KIND_OF[times] ?? 'address',
      subject: counted('login', name),
      limit: times * ofAddress,
      windowSeconds,
    })),
    // Guesses close the identifier only to networks that are not new.
    { kind: 'newcomer', ...newcomer('login newcomer', from.address, identifier) },
    {
      kind: 'identifier',
      subject: counted('login identifier', identifier),
      limit,
      windowSeconds,
      reserve: ofDay,
    },
    {
      kind: 'day',
      subject: counted('login identifier day', identifier),
      limit: ofDay,
      windowSeconds: DAY_SECONDS,
      reserve: ofDay,
    },
  ];
  if (device) {
    const subject = counted('login device', device.id.toString('hex'));
    attempts.push({ kind: 'device', subject, limit, windowSeconds });
  }
  return attempts;
}

/** How long to wait, and the limits that apply. */
export interface Wait {
  readonly retryAfterSeconds: number;
  readonly limits: readonly RateLimit[];
}

const SHOWN: readonly Attempt['kind'][] = ['identifier', 'address', 'device'];

export function rateLimitsOf(attempts: readonly LoginLimit[]): RateLimit[] {
  return SHOWN.flatMap((shown) => attempts.filter(({ kind }) => kind === shown)).map(
    ({ kind, limit, windowSeconds }) => ({ name: kind, quota: limit, windowSeconds }),
  );
}

/** The counters that apply: for a known device only its own, whatever others have tried. */
export function countedOf(
  attempts: readonly LoginLimit[],
  isDeviceKnown: boolean,
): readonly LoginLimit[] {
  return attempts.filter(({ kind }) => (kind === 'device') === isDeviceKnown);
}
