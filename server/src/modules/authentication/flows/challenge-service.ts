import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { channelOf } from '../../../tenancy/channels.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type Messages,
  type UnverifiedShare,
  challengeOfLink,
  hasLongCode,
  isRightCode,
  isRightLinkToken,
  newChallengeId,
} from '../../events/messages/index.ts';
import { findAttempts } from '../attempts/index.ts';
import type { Shown } from '../proofs/index.ts';
import {
  isFactor,
  messageKindOf,
  CODE_LIMITS,
  codeSubject,
  expiryOf,
  areGuessed,
  countedFrom,
} from './challenge-rules.ts';
import {
  beginChallenge,
  type ChallengeOfFlow,
  endOthers,
  findLink,
  type Link,
  sentToOf,
  type TakenGuess,
  takeGuess,
  useChallenge,
  countCodes,
} from './challenge-store.ts';

interface Sending extends ChallengeOfFlow {
  /** Who has the identifier. Undefined: nobody. */
  readonly user: Shown | undefined;
  /** Written, but not sent: nobody could use it. */
  readonly isDecoy: boolean;
  /** Its link leads to a page of the service. */
  readonly isToPage?: boolean;
  readonly locale: string | undefined;
  readonly from: Origin;
  /** Of whoever asks, if more is known of them than an address. */
  readonly name?: string;
  /** They have shown that the account is theirs, or an administrator asks. */
  readonly isKnown?: boolean;
  /**
   * The request came from a known device of the user. The message counts as one that a proven requester asks for; the request is
   * still counted by its network, so that the response does not reveal whose device it is.
   */
  readonly isOnKnownDevice?: boolean;
  /** The recipient is a verified user. */
  readonly isVerified?: boolean;
  /** In the transaction in which the message is queued. */
  readonly record?: (tx: TenantTx) => Promise<void>;
}

/**
 * `exhausted`: the flow had its guesses, or has used the challenge. `refused`: nothing is sent to this phone number,
 * whoever has it.
 */
type Sent = 'sent' | 'exhausted' | 'refused' | { readonly retryAfterSeconds: number };

/** A challenge whose code or link was right. It counts once it is redeemed with a proof. */
export interface Answered {
  readonly id: string;
  /** Who had the identifier when it was sent. Undefined: nobody. */
  readonly sentTo: Shown | undefined;
}

/** The result of a code. `ended`: there is no challenge that takes one. */
type Guessed =
  | { readonly outcome: 'right'; readonly challenge: Answered }
  | { readonly outcome: 'wrong'; readonly guessesLeft: number }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'ended' };

/** A link that can still be used, and the flow that asked for it. */
type FoundLink = Answered & Link;

/** Codes and links sent to users. Unknown identifiers cost the same statements as known ones. */
export interface Challenges {
  send(tenant: Tenant, sending: Sending): Promise<Sent>;
  /** Counts the guess, and compares the code. */
  guess(tenant: Tenant, challenge: ChallengeOfFlow, code: string): Promise<Guessed>;
  /** The same for a guess that was taken. Undefined: there was none. */
  compare(tenant: Tenant, guess: TakenGuess | undefined, code: string): Promise<Guessed>;
  /** Uses one without a flow, whose code was right. @returns false if it was used or has expired */
  use(tx: TenantTx, challenge: string): Promise<boolean>;
  /** @returns undefined if the link is wrong, was used or has expired */
  find(tenant: Tenant, linkToken: string): Promise<FoundLink | undefined>;
}

interface Dependencies extends Pick<Messages, 'queueMessage' | 'admit' | 'spend'> {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
}

export function createChallenges(dependencies: Dependencies): Challenges {
  const { gate, clock, dataKeys } = dependencies;

  const compare: Challenges['compare'] = async ({ id: tenantId }, guess, code) => {
    if (!guess) return { outcome: 'ended' };
    const { challenge_id: id, guesses_left: guessesLeft, retry_after: wait } = guess;
    // Whoever guesses closes nothing: from then on codes are longer, and are compared all the same.
    if (wait !== null && !hasLongCode(id)) return { outcome: 'throttled', retryAfterSeconds: wait };
    const kind = messageKindOf(guess.kind);
    const isRight = await dataKeys.use(tenantId, (key) => isRightCode(key, { id, kind }, code));
    if (!isRight) return { outcome: 'wrong', guessesLeft };
    return { outcome: 'right', challenge: { id, sentTo: sentToOf(guess) } };
  };

  return {
    send: createSend(dependencies),
    use: useChallenge,

    compare,
    guess: async (tenant, challenge, code) =>
      compare(tenant, await takeGuess(gate.into(tenant.id), challenge, clock.now()), code),

    async find({ id: tenantId }, linkToken) {
      const id = challengeOfLink(linkToken);
      if (id === undefined) return undefined;
      const found = await findLink(gate.into(tenantId), id, clock.now());
      if (!found) return undefined;
      const kind = messageKindOf(found.kind);
      const isRight = await dataKeys.use(tenantId, (key) =>
        isRightLinkToken(key, { id, kind }, linkToken),
      );
      return isRight ? { id, ...found } : undefined;
    },
  };
}

const WITHHELD = 'not_sent: The limit of the recipient or of the tenant is reached.';

function createSend(dependencies: Dependencies): Challenges['send'] {
  const { gate, queueMessage, admit, spend } = dependencies;
  const isLongFor = createIsLong(dependencies);
  return async (tenant, sending) => {
    const { flowId, kind, identifier: destination, user, from, name } = sending;
    const { isDecoy, isKnown = false, isToPage = false, locale, record } = sending;
    const wanted = { destination, address: from.address, name, isKnown };
    const admitted = await admit(tenant, wanted);
    if (admitted.outcome === 'refused') return 'refused';
    if (admitted.outcome === 'wait') return { retryAfterSeconds: admitted.retryAfterSeconds };
    const { country } = admitted;
    const isProven = isKnown || sending.isOnKnownDevice === true;
    const isWithin = await spend(tenant, { ...wanted, country, isDecoy, isKnown: isProven });
    const channel = channelOf(destination);
    const id = newChallengeId(channel, { isLong: await isLongFor(tenant, destination) });
    return gate.into(tenant.id).transaction(async (tx) => {
      const challenge = { flowId, kind, identifier: destination };
      const given = { ...challenge, id, user, expiresAt: expiryOf(tx.now) };
      if (isFactor(kind)) await endOthers(tx, challenge);
      const begun = await beginChallenge(tx, given);
      if (!begun) return 'exhausted';
      await queueMessage(tx, {
        kind: messageKindOf(kind),
        channel,
        destination,
        country,
        userId: user?.userId ?? null,
        challengeId: begun.id,
        locale,
        vars: {},
        expiresAt: begun.expiresAt,
        isDecoy,
        withheld: isWithin ? undefined : WITHHELD,
        unverifiedShare: shareOf(sending),
        isToPage,
      });
      await record?.(tx);
      return 'sent';
    });
  };
}

function shareOf({ isVerified, name }: Sending): UnverifiedShare | undefined {
  if (isVerified) return undefined;
  return name === undefined ? 'strangers' : 'named';
}

/** Whether codes of the tenant or of the recipient are guessed. */
function createIsLong({ gate, clock }: Dependencies) {
  const isGuessed = createIsGuessed(gate, clock);
  return async ({ id }: Tenant, destination: string): Promise<boolean> => {
    const tried = await findAttempts(gate.into(id), codeSubject(destination), clock.now());
    return tried >= CODE_LIMITS.login_attempts_limit || isGuessed(id);
  };
}

const FRESH_MS = 10_000;
const MAX_TENANTS = 10_000;

/** Whether somebody guesses the codes of a tenant. Looked up every ten seconds at most, on each node. */
type IsGuessed = (tenantId: TenantId) => Promise<boolean>;

function createIsGuessed(gate: Gate, clock: Clock): IsGuessed {
  const known = new Cache<TenantId, { readonly isGuessed: boolean; readonly untilMs: number }>(
    MAX_TENANTS,
  );
  return async (tenantId) => {
    const now = clock.now();
    const last = known.get(tenantId);
    if (last && last.untilMs > now.getTime()) return last.isGuessed;
    const isGuessed = areGuessed(await countCodes(gate.into(tenantId), countedFrom(now)));
    known.set(tenantId, { isGuessed, untilMs: now.getTime() + FRESH_MS });
    return isGuessed;
  };
}
