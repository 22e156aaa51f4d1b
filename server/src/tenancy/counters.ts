import { sha256 } from '../platform/crypto/sealed.ts';
import { widestNetwork } from '../platform/http/client-network.ts';

/**
 * Who can raise a counter, from least to most: an anonymous client, the reader of a mailbox, a device or a client with a
 * credential of its own, someone who knows a password, a session, and an administrator.
 */
type Raiser =
  | 'anonymous'
  | 'mailbox'
  | 'device'
  | 'client'
  | 'password'
  | 'session'
  | 'administrator';

/** One counter of requests or messages: every tenant has its own, unless `of` says otherwise. */
interface Counter {
  readonly raisedBy: Raiser;
  /** Parts of its key: each combination has a limit of its own. None: the whole tenant shares one. */
  readonly key: readonly string[];
  /** What happens to whom once it is full. */
  readonly full: string;
  /** `installation`: the tenants share it. */
  readonly of?: 'installation';
}

const anonymous = (key: readonly string[], full: string) =>
  ({ raisedBy: 'anonymous', key, full }) as const;

/**
 * Every counter of table `login_attempts`. Subjects are made by `counted` alone, so a counter without an entry does not
 * compile; and one that anonymous clients can raise needs a test (`tests/limits/counters.test.ts`) that shows who still
 * gets through. `network` is the address and the wider networks around it, each with a limit of its own.
 */
export const COUNTERS = {
  login: anonymous(['network'], 'refuses logins of the network, except on known devices'),
  'login identifier': anonymous(
    ['identifier'],
    'refuses logins with it from networks that have tried it, except on known devices',
  ),
  'login identifier day': anonymous(['identifier'], 'as the counter of the shorter window'),
  'login newcomer': anonymous(
    ['identifier', 'widest network'],
    'refuses nothing: the network has no share of the reserve of the identifier',
  ),
  'login device': {
    raisedBy: 'device',
    key: ['device'],
    full: 'refuses logins on the device',
  },
  registration: anonymous(['network'], 'refuses registrations of the network'),
  'registration tenant': anonymous(
    [],
    'refuses registrations from networks that have registered, and those without a proven address',
  ),
  'registration newcomer': anonymous(
    ['widest network'],
    'refuses nothing: the network has no share of the reserve of the tenant',
  ),
  flow: anonymous(['network'], 'refuses new flows of the network'),
  undo: anonymous(['network'], 'refuses the network to undo changes'),
  'undo proof': {
    raisedBy: 'mailbox',
    key: ['user'],
    full: 'refuses proofs of an undo for the user, whom an administrator can restore',
  },
  refresh: anonymous(['network'], 'refuses the refreshes of the network for a minute'),
  push: anonymous(['network'], 'refuses pushed requests of public clients from the network'),
  'device grant': anonymous(['network'], 'refuses logins on devices from the network'),
  'client registration': anonymous(['network'], 'refuses the network to register applications'),
  document: anonymous(['network'], 'refuses clients with documents that are not cached'),
  'listed document': anonymous(['network'], 'refuses clients with documents that are not cached'),
  'user code': anonymous(['network'], 'refuses codes of devices that are typed in the network'),
  'user code of user': {
    raisedBy: 'session',
    key: ['user'],
    full: 'refuses codes of devices that the user types in a network that has none left',
  },
  'user codes of tenant': anonymous([], 'makes new codes of devices longer'),
  client: anonymous(['network', 'client'], 'refuses the client in the network for a minute'),
  clients: anonymous(['network'], 'refuses all clients in the network for a minute'),
  reporter: { ...anonymous(['network'], 'refuses reports of the network'), of: 'installation' },
  'current password': {
    raisedBy: 'session',
    key: ['user'],
    full: 'refuses changes of the password with the present one',
  },
  totp: {
    raisedBy: 'password',
    key: ['user', 'known device or not'],
    full: 'refuses codes of authenticators, separately on known devices',
  },
  'recovery code': {
    raisedBy: 'password',
    key: ['user', 'known device or not'],
    full: 'refuses recovery codes, separately on known devices',
  },
  challenge: { raisedBy: 'password', key: ['flow'], full: 'ends the flow' },
  code: anonymous(['recipient'], 'makes new codes to the recipient longer'),
  'message now': anonymous(['requester', 'recipient'], 'refuses the requester for 30 seconds'),
  'message hour': anonymous(['requester', 'recipient'], 'refuses the requester'),
  'message day': anonymous(['requester', 'recipient'], 'refuses the requester'),
  'messages of requester': anonymous(['requester'], 'refuses the requester'),
  'recipient hour': anonymous(
    ['recipient', 'decoy or not'],
    'withholds messages that networks asked for which did so before, until the requester proves more',
  ),
  'recipient day': anonymous(['recipient', 'decoy or not'], 'as the counter of the shorter window'),
  'recipient newcomer': anonymous(
    ['recipient', 'widest network', 'decoy or not'],
    'refuses nothing: the network has no share of the reserve of the recipient',
  ),
  'mails of tenant': anonymous(
    ['decoy or not'],
    'withholds mails that networks asked for which did so before, until the requester proves more',
  ),
  'sms hour': anonymous(['decoy or not'], 'as for mails'),
  'sms day': anonymous(['decoy or not'], 'as for mails'),
  'sms country': anonymous(['country', 'decoy or not'], 'as for mails'),
  'messages newcomer': anonymous(
    ['widest network', 'decoy or not'],
    'refuses nothing: the network has no share of the reserve of the tenant',
  ),
  'sms seen': anonymous(['network', 'country'], 'refuses nothing: the country is counted once'),
  'sms countries': anonymous(['network'], 'refuses text messages to further countries'),
  delivery: {
    ...anonymous(['mailbox'], 'withholds messages to those who are not verified users'),
    of: 'installation',
  },
  notice: { raisedBy: 'session', key: ['mailbox'], full: 'sends no notices of further changes' },
  'undo notice': {
    raisedBy: 'session',
    key: ['mailbox'],
    full: 'sends no further notices; an earlier token undoes more',
  },
  'repeated notice': {
    raisedBy: 'password',
    key: ['kind', 'user'],
    full: 'sends the notice once in its time',
  },
  'test message': { raisedBy: 'administrator', key: [], full: 'refuses test messages' },
  feedback: {
    raisedBy: 'client',
    key: [],
    full: 'refuses reports of the mail provider, which repeats them',
  },
  'feedback report': { raisedBy: 'client', key: ['report'], full: 'ignores the repeated report' },
} as const satisfies Readonly<Record<string, Counter>>;

/** What is limited as well, and is counted by the rows that it is about. */
export const COUNTED_ELSEWHERE = {
  'open flows': anonymous(
    ['identifier', 'network'],
    'ends the oldest flow of the network in which nothing is proven',
  ),
  'guesses of a message': anonymous(['flow'], 'ends the message'),
  'wrong codes of tenant': anonymous([], 'makes new codes of messages longer'),
  'registered clients': anonymous(
    [],
    'refuses registrations of applications without a registration token or a session',
  ),
  'paused country': anonymous(
    ['country'],
    'refuses text messages to it to requesters that have proven no more than an address',
  ),
  'failures of a factor': {
    raisedBy: 'password',
    key: ['factor', 'known device or not'],
    full: 'suspends the factor, but not an authenticator or a recovery code on a known device',
  },
} as const satisfies Readonly<Record<string, Counter>>;

export type CounterName = keyof typeof COUNTERS;

declare const COUNTED: unique symbol;

/** What is counted: the hash of a counter and its key, so that attempted identifiers are not stored in clear text. */
export type Subject = Buffer & { readonly [COUNTED]: true };

export function counted(counter: CounterName, ...key: readonly string[]): Subject {
  return sha256(`${prefixOf(counter)}${key.join(' ')}`) as Subject;
}

/** What a database function hashes together with a key of one part. */
export function prefixOf(counter: CounterName): string {
  return `${counter}: `;
}

/** A limit: so many requests or messages of a subject within a window. */
export interface CountedLimit {
  readonly subject: Subject;
  readonly limit: number;
  readonly windowSeconds: number;
  /**
   * By how much the limit is higher for a network that is new here. Null: whether it is new is what this counter says, of
   * the limits after it; it refuses nothing.
   */
  readonly reserve?: number | null;
}

/** How often a network is new to an identifier, a recipient or a tenant: enough to mistype. */
const NEWCOMER_TRIES = 3;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Of a network that tries something for the first times in a day. Attackers have few networks of the widest kind, so what
 * is reserved for new ones is not used up from one.
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
    subjects: all.map((one) => one.subject),
    limits: all.map((one) => one.limit),
    windowsSeconds: all.map((one) => one.windowSeconds),
    reserves: all.map(({ reserve = 0 }) => reserve),
  };
}
