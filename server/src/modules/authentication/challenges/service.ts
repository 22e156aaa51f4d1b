import { randomId } from '../../../platform/crypto/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Messages } from '../../events/messages/index.ts';
import { challengeOfLink, isRightCode, isRightLinkToken } from '../message-codes/index.ts';
import type { Shown } from '../proofs/index.ts';
import { expiryOf } from './rules.ts';
import { beginChallenge, type ChallengeOfFlow, takeGuess, useChallenge } from './store.ts';

interface Sending extends ChallengeOfFlow {
  /**
   * Who has the identifier, verified: an unverified account is not that of the mailbox.
   * Undefined: nobody, and the message is written, but not sent.
   */
  readonly user: Shown | undefined;
  readonly locale: string | undefined;
  readonly from: Origin;
}

/** `exhausted`: the flow had its guesses, or has used the challenge. */
type Sent = 'sent' | 'exhausted' | { readonly retryAfterSeconds: number };

/** The result of a code. `ended`: there is no challenge that takes one. */
type Guessed =
  | { readonly outcome: 'proven'; readonly shown: Shown }
  | { readonly outcome: 'wrong'; readonly guessesLeft: number }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'ended' };

/** Codes and links sent to users. Unknown identifiers cost the same statements as known ones. */
export interface Challenges {
  send(tenant: Tenant, sending: Sending): Promise<Sent>;
  redeemCode(tenant: Tenant, challenge: ChallengeOfFlow, code: string): Promise<Guessed>;
  /** @returns undefined if the link is wrong, was used, has expired or belongs to another flow */
  redeemLink(
    tenant: Tenant,
    challenge: ChallengeOfFlow,
    linkToken: string,
  ): Promise<Shown | undefined>;
}

interface Dependencies extends Pick<Messages, 'queueMessage' | 'admitMessage'> {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
}

export function createChallenges(dependencies: Dependencies): Challenges {
  const { gate, clock, dataKeys } = dependencies;
  return {
    send: createSend(dependencies),

    async redeemCode({ id: tenantId }, challenge, code) {
      const data = gate.into(tenantId);
      const now = clock.now();
      const guess = await takeGuess(data, challenge, now);
      if (!guess) return { outcome: 'ended' };
      const { challenge_id: id, guesses_left: guessesLeft, retry_after: wait } = guess;
      if (wait !== null) return { outcome: 'throttled', retryAfterSeconds: wait };
      const { kind, flowId } = challenge;
      const isRight = await dataKeys.use(tenantId, (key) => isRightCode(key, { id, kind }, code));
      const shown = isRight ? await useChallenge(data, id, flowId, now) : undefined;
      return shown ? { outcome: 'proven', shown } : { outcome: 'wrong', guessesLeft };
    },

    async redeemLink({ id: tenantId }, { flowId, kind }, linkToken) {
      const id = challengeOfLink(linkToken);
      if (id === undefined) return undefined;
      const isRight = await dataKeys.use(tenantId, (key) =>
        isRightLinkToken(key, { id, kind }, linkToken),
      );
      return isRight ? useChallenge(gate.into(tenantId), id, flowId, clock.now()) : undefined;
    },
  };
}

function createSend({ gate, queueMessage, admitMessage }: Dependencies): Challenges['send'] {
  return async (tenant, { user, locale, from, ...challenge }) => {
    const data = gate.into(tenant.id);
    const { identifier: destination, kind } = challenge;
    const wait = await admitMessage(data, { destination, address: from.address });
    if (wait !== undefined) return { retryAfterSeconds: wait };
    return data.transaction(async (tx) => {
      const wanted = { ...challenge, id: `chl_${randomId()}`, user, expiresAt: expiryOf(tx.now) };
      const begun = await beginChallenge(tx, wanted);
      if (!begun) return 'exhausted';
      await queueMessage(tx, {
        kind,
        channel: 'email',
        destination,
        userId: user?.userId ?? null,
        challengeId: begun.id,
        locale,
        vars: {},
        expiresAt: begun.expiresAt,
        isDecoy: user === undefined,
      });
      return 'sent';
    });
  };
}
