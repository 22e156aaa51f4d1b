import { AppError } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { WRONG_CODES } from '../device-grants/index.ts';
import {
  countAttempt,
  countInNetworks,
  giveBackAttempt,
  networkLimits,
  rateLimitOf,
} from '../../authentication/attempts/index.ts';

const HOUR = 3600;
/** Wrong codes: one in 25 billion is that of a given device (RFC 8628 §5.1). */
const OF_ADDRESS = { login_attempts_limit: 10, login_attempts_window: HOUR };

/** Codes of devices that are typed. Each is counted before it is looked at, and given back if it was right. */
export interface Guesses {
  guess<Found>(
    tenant: Tenant,
    from: Origin,
    find: () => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found } | { readonly refused: AppError }>;
}

export function createGuesses(gate: Gate, clock: Clock): Guesses {
  return {
    async guess(tenant, from, find) {
      const data = gate.into(tenant.id);
      const now = clock.now();
      const limit = { counter: 'user code', limits: OF_ADDRESS } as const;
      const retryAfterSeconds = await countInNetworks(data, from.address, limit, now);
      if (retryAfterSeconds !== undefined) {
        const options = { retryAfterSeconds, limits: [rateLimitOf('address', OF_ADDRESS)] };
        return { refused: new AppError('TOO_MANY_ATTEMPTS', options) };
      }
      const found = await find();
      if (found === undefined) {
        // Nobody is refused for the wrong codes of others: new codes get longer.
        await countAttempt(data, WRONG_CODES, counted('user codes of tenant'), now);
        return { refused: new AppError('CODE_WRONG') };
      }
      for (const { subject } of networkLimits(from.address, limit)) {
        await giveBackAttempt(data, subject, now);
      }
      return { found };
    },
  };
}
