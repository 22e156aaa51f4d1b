import { AppError } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { WRONG_CODES } from '../device-grants/index.ts';
import {
  countAll,
  countAttempt,
  giveBackAttempt,
  networkLimits,
  rateLimitOf,
} from '../../authentication/attempts/index.ts';

const HOUR = 3600;
/** Wrong codes. The chance to guess the code of a given device is one in 25 billion (RFC 8628 §5.1). */
const LIMITS = { login_attempts_limit: 10, login_attempts_window: HOUR };
const OF_USER = { name: 'user', limit: LIMITS.login_attempts_limit, windowSeconds: HOUR };

/** Device codes that are typed. Each is counted before it is looked up, and given back if it was right. */
export interface Guesses {
  /** @param findUser finds the signed-in user, who has their own guesses after their network has used up its guesses */
  guess<Found>(
    tenant: Tenant,
    from: Origin,
    findUser: () => Promise<UserId | undefined>,
    find: () => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found } | { readonly refused: AppError }>;
}

export function createGuesses(gate: Gate, clock: Clock): Guesses {
  return {
    async guess(tenant, from, findUser, find) {
      const data = gate.into(tenant.id);
      const now = clock.now();
      let limits = networkLimits(from.address, { counter: 'user code', limits: LIMITS });
      let refused = await countAll(data, limits, now);
      const userId = refused && (await findUser());
      if (userId !== undefined) {
        limits = [{ ...OF_USER, subject: counted('user code of user', userId) }];
        refused = await countAll(data, limits, now);
      }
      if (refused) {
        const { limit, retryAfterSeconds } = refused;
        const options = { retryAfterSeconds, limits: [rateLimitOf(limit.name, LIMITS)] };
        return { refused: new AppError('TOO_MANY_ATTEMPTS', options) };
      }
      const found = await find();
      if (found === undefined) {
        // The counter of the tenant refuses no one: new codes get longer.
        await countAttempt(data, WRONG_CODES, counted('user codes of tenant'), now);
        return { refused: new AppError('CODE_WRONG') };
      }
      for (const { subject } of limits) await giveBackAttempt(data, subject, now);
      return { found };
    },
  };
}
