import type { UserId } from '@keywright/contract/ids';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Change, record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import {
  type Challenges,
  type TakenGuess,
  countFailure,
  deviceIn,
  forgetFailures,
  type StoredFlow,
} from '../flows/index.ts';
import { hasSuspended, maxFailuresOf } from '../proofs/index.ts';
import { notifyRefusedFactor } from '../second-factors/index.ts';
import { challengeOf } from './rules.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly challenges: Challenges;
  readonly notify: Notify;
}

interface Taken {
  readonly flow: StoredFlow;
  readonly guess: TakenGuess | undefined;
}

type Compared = ReturnType<Challenges['compare']>;

/** Compares the code of a message in a flow. One that is a second factor is counted and told of as those of others are. */
export function createCompareCode(dependencies: Dependencies) {
  const { gate, challenges, notify } = dependencies;
  return async (
    tenant: Tenant,
    { flow, guess }: Taken,
    code: string,
    device: Device,
  ): Promise<Awaited<Compared>> => {
    if (!guess || guess.retry_after !== null) return challenges.compare(tenant, guess, code);
    const wrong = { outcome: 'wrong', guessesLeft: guess.guesses_left } as const;
    // The code of another step proves nothing in this one.
    if (guess.kind !== challengeOf(flow).kind) return wrong;
    const { messageFactor, user } = flow;
    if (!messageFactor || !user) return challenges.compare(tenant, guess, code);
    const { channel, destination } = messageFactor;
    const data = gate.into(tenant.id);
    const maxFailures = maxFailuresOf(deviceIn(flow));
    const failures =
      destination === undefined
        ? undefined
        : await countFailure(data, user.id, destination, maxFailures);
    const isCompared = destination !== undefined && failures !== undefined;
    const compared = isCompared ? await challenges.compare(tenant, guess, code) : wrong;
    if (compared.outcome === 'right') {
      if (isCompared) await forgetFailures(data, user.id, destination);
      return compared;
    }
    if (hasSuspended(failures ?? 0)) {
      await data.transaction((tx) =>
        record(tx, anonymous(device.from), suspension(user.id, channel)),
      );
    }
    await notifyRefusedFactor(gate, notify, tenant, user.id, device);
    return compared;
  };
}

function suspension(userId: UserId, channel: 'email' | 'sms'): Change {
  const reason = 'too_many_failures';
  return {
    action: 'factor.suspicious',
    target: { kind: 'user', id: userId },
    details: { user_id: userId, reason, channel },
    events: [{ type: 'factor.suspicious', data: { user_id: userId, reason, channel } }],
  };
}
