import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { type Tenant, channelOf } from '../../../tenancy/tenant.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import {
  challengeOfLink,
  describeRequest,
  hasLongCode,
  isRightCode,
  isRightLinkToken,
  type MessageLimits,
  type MessageQueue,
  newChallengeId,
  type RequestingDevice,
  type UnverifiedShare,
} from '../../events/messages/index.ts';
import { CachedCondition, findAttempts } from '../attempts/index.ts';
import type { Shown } from '../proofs/index.ts';
import {
  CODE_LIMITS,
  areGuessed,
  codeSubject,
  countedFrom,
  expiryOf,
  isFactor,
  messageKindOf,
} from './flow-rules.ts';
import {
  insertChallenge,
  type ChallengeOfFlow,
  countCodes,
  endOthers,
  findLink,
  type Link,
  sentToOf,
  type TakenGuess,
  takeGuess,
  useChallenge,
} from './challenge-store.ts';

interface Sending extends ChallengeOfFlow {
  /** The user with the identifier; undefined if there is none. */
  readonly user: Shown | undefined;
  /** Whether the message is written but not sent, because no user could use it. */
  readonly isDecoy: boolean;
  /** Whether its link leads to a page of the service. */
  readonly isToPage?: boolean;
  readonly locale: string | undefined;
  readonly from: Origin;
  /** The device that the message names as its requester, unless an administrator requests it. */
  readonly device?: RequestingDevice;
  /** The requester's name, if more than an address is known of the requester. */
  readonly name?: string;
  /** Whether the requester has proven the account, or is an administrator. */
  readonly isKnown?: boolean;
  /**
   * Whether the request came from a known device of the user. The message counts as that of a proven requester; the
   * request is still counted by its network, so that the response does not reveal whose device it is.
   */
  readonly isOnKnownDevice?: boolean;
  /** Whether the recipient is a verified user. */
  readonly isVerified?: boolean;
  /** Runs in the transaction that queues the message. */
  readonly record?: (tx: TenantTx) => Promise<void>;
}

/**
 * `exhausted`: the flow has no guesses left, or has used the challenge. `refused`: no messages are sent to this phone
 * number, whether or not a user has it.
 */
type SendResult = 'sent' | 'exhausted' | 'refused' | { readonly retryAfterSeconds: number };

/** A challenge whose code or link was correct. It counts once it is redeemed with a proof. */
export interface Answered {
  readonly id: string;
  /** The user who had the identifier when the message was sent; undefined if there was none. */
  readonly sentTo: Shown | undefined;
}

/** The result of comparing a code. `ended`: no challenge accepts a code. */
type Guessed =
  | { readonly outcome: 'right'; readonly challenge: Answered }
  | { readonly outcome: 'wrong'; readonly guessesLeft: number }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'ended' };

/** A link that can still be used, and the flow that requested it. */
type FoundLink = Answered & Link;

const WITHHELD = {
  code: 'not_sent',
  detail: 'A message limit of the recipient or the tenant was reached.',
};

/** Codes and links sent to users. Unknown identifiers cost the same statements as known ones. */
export class Challenges {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #dataKeys: DataKeys;
  readonly #queue: MessageQueue;
  readonly #limits: MessageLimits;
  /** Whether the codes of a tenant are being guessed. */
  readonly #guessing: CachedCondition;

  constructor({ gate, clock, dataKeys }: Core, queue: MessageQueue, limits: MessageLimits) {
    this.#gate = gate;
    this.#clock = clock;
    this.#dataKeys = dataKeys;
    this.#queue = queue;
    this.#limits = limits;
    this.#guessing = new CachedCondition(clock, async (tenantId, now) =>
      areGuessed(await countCodes(gate.into(tenantId), countedFrom(now))),
    );
  }

  async send(tenant: Tenant, sending: Sending): Promise<SendResult> {
    const { identifier: destination, from, name, isDecoy, isKnown = false } = sending;
    const request = { destination, address: from.address, name, isKnown };
    const admitted = await this.#limits.admit(tenant, request);
    if (admitted.outcome === 'refused') return 'refused';
    if (admitted.outcome === 'wait') return { retryAfterSeconds: admitted.retryAfterSeconds };
    const { country } = admitted;
    const isProven = isKnown || sending.isOnKnownDevice === true;
    const spent = { ...request, country, isDecoy, isKnown: isProven };
    const isWithin = await this.#limits.spend(tenant, spent);
    const isLong = await this.#needsLongCode(tenant, destination);
    return this.#gate
      .into(tenant.id)
      .transaction((tx) => this.#start(tx, sending, { country, isWithin, isLong }));
  }

  async #start(
    tx: TenantTx,
    sending: Sending,
    {
      country,
      isWithin,
      isLong,
    }: {
      readonly country: string | undefined;
      readonly isWithin: boolean;
      readonly isLong: boolean;
    },
  ): Promise<SendResult> {
    const { flowId, kind, identifier: destination, user, isDecoy, locale, device } = sending;
    const channel = channelOf(destination);
    const id = newChallengeId(channel, { isLong });
    const challenge = { flowId, kind, identifier: destination };
    if (isFactor(kind)) await endOthers(tx, challenge);
    const inserted = await insertChallenge(tx, {
      ...challenge,
      id,
      user,
      expiresAt: expiryOf(tx.now),
    });
    if (!inserted) return 'exhausted';
    await this.#queue.enqueue(tx, {
      kind: messageKindOf(kind),
      channel,
      destination,
      country,
      userId: user?.userId ?? null,
      challengeId: inserted.id,
      locale,
      vars: device ? { time: tx.now.toISOString(), ...describeRequest(device) } : {},
      expiresAt: inserted.expiresAt,
      isDecoy,
      withheld: isWithin ? undefined : WITHHELD,
      unverifiedShare: shareOf(sending),
      isToPage: sending.isToPage ?? false,
    });
    await sending.record?.(tx);
    return 'sent';
  }

  /** Takes a guess, and compares the code. */
  async guess(tenant: Tenant, challenge: ChallengeOfFlow, code: string): Promise<Guessed> {
    const data = this.#gate.into(tenant.id);
    return this.compare(tenant, await takeGuess(data, challenge, this.#clock.now()), code);
  }

  /** Compares the code of a taken guess; undefined if none was left. */
  async compare(
    { id: tenantId }: Tenant,
    guess: TakenGuess | undefined,
    code: string,
  ): Promise<Guessed> {
    if (!guess) return { outcome: 'ended' };
    const { challenge_id: id, guesses_left: guessesLeft, retry_after: wait } = guess;
    // Guessing locks nothing: beyond the limit, codes are longer and are still compared.
    if (wait !== null && !hasLongCode(id)) return { outcome: 'throttled', retryAfterSeconds: wait };
    const kind = messageKindOf(guess.kind);
    const isRight = await this.#dataKeys.use(tenantId, (key) =>
      isRightCode(key, { id, kind }, code),
    );
    if (!isRight) return { outcome: 'wrong', guessesLeft };
    return { outcome: 'right', challenge: { id, sentTo: sentToOf(guess) } };
  }

  /** @returns undefined if the link is wrong, was used or has expired */
  async find({ id: tenantId }: Tenant, linkToken: string): Promise<FoundLink | undefined> {
    const id = challengeOfLink(linkToken);
    if (id === undefined) return undefined;
    const found = await findLink(this.#gate.into(tenantId), id, this.#clock.now());
    if (!found) return undefined;
    const kind = messageKindOf(found.kind);
    const isRight = await this.#dataKeys.use(tenantId, (key) =>
      isRightLinkToken(key, { id, kind }, linkToken),
    );
    return isRight ? { id, ...found } : undefined;
  }

  /** Uses a challenge without a flow, after its code was correct. @returns false if it was used or has expired */
  use(tx: TenantTx, challenge: string): Promise<boolean> {
    return useChallenge(tx, challenge);
  }

  /** Whether codes of the tenant or of the recipient are being guessed. */
  async #needsLongCode({ id }: Tenant, destination: string): Promise<boolean> {
    const data = this.#gate.into(id);
    const attempts = await findAttempts(data, codeSubject(destination), this.#clock.now());
    return attempts >= CODE_LIMITS.login_attempts_limit || this.#guessing.isMet(id);
  }
}

function shareOf({ isVerified, name }: Sending): UnverifiedShare | undefined {
  if (isVerified) return undefined;
  return name === undefined ? 'strangers' : 'named';
}
