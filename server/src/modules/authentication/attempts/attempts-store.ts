import type { UserId } from '@keywright/contract/ids';
import type { RateLimit, Fail } from '@keywright/contract/errors';
import { admitAttempt } from '../../../../sql/authentication/kw_admit_attempt.ts';
import { giveBack } from '../../../../sql/authentication/kw_give_back.ts';
import {
  startLogins as start,
  type StartLoginsRow,
} from '../../../../sql/authentication/kw_start_logins.ts';
import { admitMessage as admitAll } from '../../../../sql/events/kw_admit_message.ts';
import { clientNetworks } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import {
  argumentsOf,
  counted,
  type CountedLimit,
  type CounterName,
  type Subject,
  type Attempt,
  type Attempted,
  inLockOrder,
} from '../../../tenancy/counters.ts';
import { from, type TenantData, type Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** Number of attempts, and the window in seconds. */
export type AttemptLimits = Pick<
  Tenant['config'],
  'login_attempts_limit' | 'login_attempts_window'
>;

/** Returns these limits in the form of a response. */
export function rateLimitOf(
  name: string,
  { login_attempts_limit: quota, login_attempts_window: windowSeconds }: AttemptLimits,
): RateLimit {
  return { name, quota, windowSeconds };
}

/** Counts an attempt. @returns seconds to wait, or undefined when it is admitted */
export async function countAttempt(
  data: TenantData,
  limits: AttemptLimits,
  subject: Subject,
  now: Date,
): Promise<number | undefined> {
  const { login_attempts_limit: limit, login_attempts_window: windowSeconds } = limits;
  const [row] = await data.call(admitAttempt, { subject, limit, windowSeconds, now });
  return row?.answer ?? undefined;
}

/** A counter of requests by network, and the limit of the narrowest network. */
export interface NetworkLimit {
  readonly counter: CounterName;
  readonly limits: AttemptLimits;
  /** The name in the response; default: address. */
  readonly name?: string;
}

/** A limit, with its name in the response. */
export interface NamedLimit extends CountedLimit {
  readonly name: string;
  /** Whether it limits a network that is wider than one client. */
  readonly isWide?: boolean;
}

/** Returns the limits of an address's networks, the narrowest first. @param key of the counter, after the network */
export function networkLimits(
  address: string,
  { counter, limits, name: shown = 'address' }: NetworkLimit,
  ...key: readonly string[]
): NamedLimit[] {
  return clientNetworks(address).map(({ name, times }) => ({
    name: shown,
    subject: counted(counter, name, ...key),
    limit: times * limits.login_attempts_limit,
    windowSeconds: limits.login_attempts_window,
    isWide: times > 1,
  }));
}

/**
 * Counts a request in each network of its address, the narrowest first, in one statement. A request that a network
 * refuses is not counted in wider networks.
 * @returns seconds to wait, or undefined when it is admitted
 */
export async function countInNetworks(
  data: TenantData,
  address: string,
  limit: NetworkLimit,
  now: Date,
): Promise<number | undefined> {
  return (await countAll(data, networkLimits(address, limit), now))?.retryAfterSeconds;
}

/** Counts a request against several limits, in order. @returns the limit that refuses it */
export async function countAll<Limit extends CountedLimit>(
  data: TenantData,
  limits: readonly Limit[],
  now: Date,
): Promise<{ readonly limit: Limit; readonly retryAfterSeconds: number } | undefined> {
  const [row] = await data.call(admitAll, { ...argumentsOf(limits), now });
  const limit = row && limits[row.place - 1];
  return limit && { limit, retryAfterSeconds: row.retry_after };
}

/** Discounts a successful attempt. */
export async function giveBackAttempt(
  data: TenantData,
  subject: Subject,
  now: Date,
): Promise<void> {
  await data.call(giveBack, { subject, now });
}

/** Returns the number of attempts in the current window. */
export async function findAttempts(data: TenantData, subject: Subject, now: Date): Promise<number> {
  const row = await data.transaction((tx) =>
    from(tx, 'login_attempts')
      .select('attempts')
      .where('subject', '=', subject)
      .where('window_ends_at', '>', now)
      .executeTakeFirst(),
  );
  return row?.attempts ?? 0;
}

export type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

/** Counts a request by its address and the networks around it. */
export async function requireRoomOfAddress(
  { gate, clock }: Pick<Core, 'gate' | 'clock'>,
  { id }: Tenant,
  { address }: Origin,
  limit: NetworkLimit,
  fail: Refuse,
): Promise<void> {
  const data = gate.into(id);
  const retryAfterSeconds = await countInNetworks(data, address, limit, clock.now());
  if (retryAfterSeconds === undefined) return;
  fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [rateLimitOf('address', limit.limits)] });
}

/** One counter of a login, with its limit. */
export interface LoginLimit extends Attempt, CountedLimit {}

/** The counters and the lookup of a login, before a hash is computed. */
export interface LoginStart extends Attempted<LoginLimit> {
  readonly identifier: string;
  /** The user of the presented device token. */
  readonly device: { readonly userId: UserId; readonly authVersion: number } | undefined;
  readonly now: Date;
}

/** `is_device_known`: only the device's counter was used. */
export type LoginStartRow = StartLoginsRow;

/** Counts the attempts of many logins, and finds the users of the admitted ones. Rows are in the order of the logins. */
export function startLogins(gate: Gate, logins: readonly LoginStart[]): Promise<LoginStartRow[]> {
  const counters = inLockOrder(logins);
  return gate.callMany(start, {
    tenants: logins.map((login) => login.tenantId),
    identifiers: logins.map((login) => login.identifier),
    now: logins.map((login) => login.now),
    deviceUsers: logins.map((login) => login.device?.userId ?? null),
    deviceVersions: logins.map((login) => login.device?.authVersion ?? null),
    attemptLogins: counters.logins,
    attemptSubjects: counters.attempts.map((attempt) => attempt.subject),
    attemptLimits: counters.attempts.map((attempt) => attempt.limit),
    attemptWindows: counters.attempts.map((attempt) => attempt.windowSeconds),
    attemptReserves: counters.attempts.map(({ reserve = 0 }) => reserve),
    attemptOfDevice: counters.attempts.map((attempt) => attempt.kind === 'device'),
  });
}
