import { AppError } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  countAttempt,
  giveBackAttempt,
  rateLimitOf,
  userCodeSubject,
} from '../../authentication/attempts/index.ts';

const HOUR = 3600;
/** Wrong codes: one in 25 billion is that of a given device (RFC 8628 §5.1). */
const OF_ADDRESS = { login_attempts_limit: 10, login_attempts_window: HOUR };
const OF_TENANT = { login_attempts_limit: 1000, login_attempts_window: HOUR };

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
      const limits = [
        { name: 'address', subject: userCodeSubject(from.address), most: OF_ADDRESS },
        { name: 'tenant', subject: userCodeSubject(), most: OF_TENANT },
      ];
      for (const { name, subject, most } of limits) {
        const retryAfterSeconds = await countAttempt(data, most, subject, now);
        if (retryAfterSeconds === undefined) continue;
        const options = { retryAfterSeconds, limits: [rateLimitOf(name, most)] };
        return { refused: new AppError('TOO_MANY_ATTEMPTS', options) };
      }
      const found = await find();
      if (found === undefined) return { refused: new AppError('CODE_WRONG') };
      for (const { subject } of limits) await giveBackAttempt(data, subject, now);
      return { found };
    },
  };
}
