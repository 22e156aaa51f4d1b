import type { TenantId } from '@keywright/contract/ids';
import { sha256 } from '../platform/crypto/sealed.ts';
import { widestNetwork } from '../platform/http/client-network.ts';

/**
 * The caller that can raise a counter, from the least proven to the most: an anonymous client, the reader of a
 * mailbox, a device or a client with its own credential, a user who knows a password, a session, an administrator.
 */
type Raiser =
  | 'anonymous'
  | 'mailbox'
  | 'device'
  | 'client'
  | 'password'
  | 'session'
  | 'administrator';

/** A counter of requests or messages. Each tenant has its own, unless `of` is set. */
interface Counter {
  readonly raisedBy: Raiser;
  /** The parts of its key: each combination has its own limit. Empty: one limit for the whole tenant. */
  readonly key: readonly string[];
  /** The effect when the counter is full, and on which requests. */
  readonly full: string;
  /** `installation`: all tenants share it. */
  readonly of?: 'installation';
}

const anonymous = (key: readonly string[], full: string) =>
  ({ raisedBy: 'anonymous', key, full }) as const;

/**
 * Every counter in the table `login_attempts`. Only `counted` makes subjects, so a counter without an entry does not
 * compile. A counter that anonymous clients can raise needs a test in `tests/limits/counters.test.ts` that shows which
 * clients still get through. `network` is the address and the wider networks around it, each with its own limit.
 */
export const COUNTERS = {
  login: anonymous(['network'], 'rejects logins of the network, except on known devices'),
  'login identifier': anonymous(
    ['identifier'],
    'rejects logins with it from networks that have tried it, except on known devices',
  ),
  'login identifier day': anonymous(['identifier'], 'as the counter of the shorter window'),
  'login newcomer': anonymous(
    ['identifier', 'widest network'],
    'rejects nothing: the network no longer shares the reserve of the identifier',
  ),
  'login device': {
    raisedBy: 'device',
    key: ['device'],
    full: 'rejects logins on the device',
  },
  registration: anonymous(['network'], 'rejects registrations of the network'),
  'registration tenant': anonymous(
    [],
    'rejects registrations from networks that have registered, and those without a proven address',
  ),
  'registration newcomer': anonymous(
    ['widest network'],
    'rejects nothing: the network no longer shares the reserve of the tenant',
  ),
  flow: anonymous(['network'], 'rejects new flows from the network'),
  undo: anonymous(['network'], 'rejects undos from the network'),
  'undo proof': {
    raisedBy: 'mailbox',
    key: ['user'],
    full: 'rejects proofs of an undo for the user; an administrator can restore the account',
  },
  refresh: anonymous(['network'], 'rejects refreshes from the network for a minute'),
  push: anonymous(['network'], 'rejects pushed requests of public clients from the network'),
  'device grant': anonymous(['network'], 'rejects device logins from the network'),
  'client registration': anonymous(
    ['network'],
    'rejects registrations of applications from the network',
  ),
  document: anonymous(['network'], 'rejects clients whose documents are not cached'),
  'listed document': anonymous(['network'], 'rejects clients whose documents are not cached'),
  'user code': anonymous(['network'], 'rejects device codes that are typed in the network'),
  'user code of user': {
    raisedBy: 'session',
    key: ['user'],
    full: 'rejects device codes of the user when the network has also used up its own',
  },
  'user codes of tenant': anonymous([], 'makes new device codes longer'),
  client: anonymous(['network', 'client'], 'rejects the client in the network for a minute'),
  clients: anonymous(['network'], 'rejects all clients in the network for a minute'),
  reporter: { ...anonymous(['network'], 'rejects reports from the network'), of: 'installation' },
  'current password': {
    raisedBy: 'session',
    key: ['user'],
    full: 'rejects password changes by giving the current one',
  },
  totp: {
    raisedBy: 'password',
    key: ['user', 'known device'],
    full: 'rejects codes of authenticators, separately on each known device',
  },
  'recovery code': {
    raisedBy: 'password',
    key: ['user', 'known device'],
    full: 'rejects recovery codes, separately on each known device',
  },
  challenge: { raisedBy: 'password', key: ['flow'], full: 'ends the flow' },
  code: anonymous(['recipient'], 'makes new codes to the recipient longer'),
  'message now': anonymous(['requester', 'recipient'], 'rejects the requester for 30 seconds'),
  'message hour': anonymous(['requester', 'recipient'], 'rejects the requester'),
  'message day': anonymous(['requester', 'recipient'], 'rejects the requester'),
  'messages of requester': anonymous(['requester'], 'rejects the requester'),
  'recipient hour': anonymous(
    ['recipient', 'decoy or not'],
    'withholds messages that known networks request, until the requester proves more',
  ),
  'recipient day': anonymous(['recipient', 'decoy or not'], 'as the counter of the shorter window'),
  'recipient newcomer': anonymous(
    ['recipient', 'widest network', 'decoy or not'],
    'rejects nothing: the network no longer shares the reserve of the recipient',
  ),
  'emails of tenant': anonymous(
    ['decoy or not'],
    'withholds emails that known networks request, until the requester proves more',
  ),
  'sms hour': anonymous(['decoy or not'], 'as for emails'),
  'sms day': anonymous(['decoy or not'], 'as for emails'),
  'sms country': anonymous(['country', 'decoy or not'], 'as for emails'),
  'messages newcomer': anonymous(
    ['widest network', 'decoy or not'],
    'rejects nothing: the network no longer shares the reserve of the tenant',
  ),
  'sms seen': anonymous(['network', 'country'], 'rejects nothing: the country is counted once'),
  'sms countries': anonymous(['network'], 'rejects text messages to more countries'),
  delivery: {
    ...anonymous(['mailbox'], 'withholds messages, unless the recipient is a verified user'),
    of: 'installation',
  },
  notice: { raisedBy: 'session', key: ['mailbox'], full: 'sends no more notices' },
  'undo notice': {
    raisedBy: 'session',
    key: ['mailbox'],
    full: 'sends no more of these notices; an earlier token undoes more',
  },
  'repeated notice': {
    raisedBy: 'password',
    key: ['kind', 'user'],
    full: 'sends the notice once per interval',
  },
  'test message': { raisedBy: 'administrator', key: [], full: 'rejects test messages' },
  feedback: {
    raisedBy: 'client',
    key: [],
    full: 'rejects reports of the mail provider, which retries them',
  },
  'feedback report': { raisedBy: 'client', key: ['report'], full: 'ignores the repeated report' },
} as const satisfies Readonly<Record<string, Counter>>;

/** Limits that are counted by the rows they apply to. */
export const COUNTED_ELSEWHERE = {
  'open flows': anonymous(
    ['identifier', 'network or known device'],
    'ends the oldest flow of the network or device that has no proof yet',
  ),
  'guesses of a message': anonymous(['flow'], 'ends the message'),
  'wrong codes of tenant': anonymous([], 'makes new codes of messages longer'),
  'registered clients': anonymous(
    [],
    'rejects registrations of applications without a registration token or a session',
  ),
  'paused country': anonymous(
    ['country'],
    'rejects text messages to it, unless the requester has proven more than an address',
  ),
  'failures of a factor': {
    raisedBy: 'password',
    key: ['factor', 'known device or not'],
    full: 'suspends the factor, but not on a known device',
  },
} as const satisfies Readonly<Record<string, Counter>>;

export type CounterName = keyof typeof COUNTERS;

declare const COUNTED: unique symbol;

/** The hash of a counter and its key, so that attempted identifiers are not stored in plain text. */
export type Subject = Buffer & { readonly [COUNTED]: true };

export function counted(counter: CounterName, ...key: readonly string[]): Subject {
  return sha256(`${prefixOf(counter)}${key.join(' ')}`) as Subject;
}

/** A database function hashes it together with a key of one part. */
export function prefixOf(counter: CounterName): string {
  return `${counter}: `;
}

/** A limit on a subject's requests or messages within a window. */
export interface CountedLimit {
  readonly subject: Subject;
  readonly limit: number;
  readonly windowSeconds: number;
  /**
   * The increase of the limit for a new network. Null: this counter refuses nothing, but decides whether the network
   * is new for the limits after it.
   */
  readonly reserve?: number | null;
}

/** Attempts in a day during which a network counts as new: enough to allow for typing errors. */
const NEWCOMER_TRIES = 3;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Counts whether a network is new to an identifier, a recipient or a tenant. Counts the widest network, because an
 * attacker has few of those.
 */
export function newcomer(
  counter: Extract<CounterName, `${string} newcomer`>,
  address: string,
  ...key: readonly string[]
): CountedLimit & { readonly reserve: null } {
  const subject = counted(counter, widestNetwork(address), ...key);
  return { subject, limit: NEWCOMER_TRIES, windowSeconds: DAY_SECONDS, reserve: null };
}

/** The arguments of a database function that counts. */
export function argumentsOf(all: readonly CountedLimit[]) {
  return {
    subjects: all.map((limit) => limit.subject),
    limits: all.map((limit) => limit.limit),
    windowsSeconds: all.map((limit) => limit.windowSeconds),
    reserves: all.map(({ reserve = 0 }) => reserve),
  };
}

/** The kinds of attempt counters, in the order of their row locks. */
const KINDS = ['device', 'address', 'site', 'range', 'newcomer', 'identifier', 'day'] as const;

/** One counter of a login attempt. */
export interface Attempt {
  readonly kind: (typeof KINDS)[number];
  readonly subject: Subject;
}

/** A login, and its counters. */
export interface Attempted<Item extends Attempt = Attempt> {
  readonly tenantId: TenantId;
  readonly attempts: readonly Item[];
}

/** Attempts, each with the index of its login, starting at 1 as in SQL. */
interface InLockOrder<Item> {
  readonly logins: readonly number[];
  readonly attempts: readonly Item[];
}

/**
 * Sorts the attempts of several logins in the order of their row locks, so that two batches cannot deadlock: first by
 * device, then by address and its wider networks, then by identifier.
 */
export function inLockOrder<Item extends Attempt>(
  all: readonly Attempted<Item>[],
): InLockOrder<Item> {
  const order = KINDS.flatMap((kind) =>
    all
      .flatMap(({ tenantId, attempts }, index) =>
        attempts
          .filter((attempt) => attempt.kind === kind)
          .map((attempt) => ({ tenantId, attempt, login: index + 1 })),
      )
      .toSorted((left, right) =>
        left.tenantId === right.tenantId
          ? left.attempt.subject.compare(right.attempt.subject)
          : left.tenantId < right.tenantId
            ? -1
            : 1,
      ),
  );
  return {
    logins: order.map((entry) => entry.login),
    attempts: order.map((entry) => entry.attempt),
  };
}
