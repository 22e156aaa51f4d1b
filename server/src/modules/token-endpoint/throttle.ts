import type { Fail } from '@keywright/contract/errors';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Origin } from '../../tenancy/caller.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { clientSubject, countAttempt } from '../attempts/index.ts';

const WINDOW_SECONDS = 60;
/** Failures within the window: of one address for one client, and for all that it makes up. */
const MAX_FAILURES = { ofClient: 20, ofAddress: 600 };
const MAX_BLOCKED = 10_000;

/** Who asks: from where, and which client they say they are. */
export interface Asker {
  readonly tenant: Tenant;
  readonly from: Origin;
  readonly clientId: string;
}

/**
 * Keeps who fails too often from having signatures checked. A client that goes on with a key of yesterday shuts out
 * itself, not the others behind its address. Only failures are counted, in the database, so that a client that is
 * right costs nothing more; who is over a limit is remembered here, and on every other node after one more failure.
 */
export interface Throttle {
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(asker: Asker, fail: Refuse): void;
  /** Counts a failure. @throws AppError TOO_MANY_ATTEMPTS when it is one too many */
  count(asker: Asker, fail: Refuse): Promise<void>;
}

type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

export function createThrottle(gate: Gate, clock: Clock): Throttle {
  /** Until when. */
  const blocked = new LRUCache<string, Date>({ max: MAX_BLOCKED });
  const place = ({ tenant }: Asker, subject: Buffer) =>
    `${tenant.id} ${subject.toString('latin1')}`;

  async function countOne(asker: Asker, subject: Buffer, limit: number, fail: Refuse) {
    const now = clock.now();
    const limits = { login_attempts_limit: limit, login_attempts_window: WINDOW_SECONDS };
    const wait = await countAttempt(gate.into(asker.tenant.id), limits, subject, now);
    if (wait === undefined) return;
    blocked.set(place(asker, subject), new Date(now.getTime() + wait * 1000));
    fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait });
  }

  return {
    admit(asker, fail) {
      if (blocked.size === 0) return;
      for (const subject of subjectsOf(asker)) {
        const until = blocked.get(place(asker, subject));
        const waitMs = until ? until.getTime() - clock.now().getTime() : 0;
        if (waitMs > 0) fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
      }
    },
    async count(asker, fail) {
      const [client, address] = subjectsOf(asker);
      // What the first one refuses does not count for the other.
      await countOne(asker, client, MAX_FAILURES.ofClient, fail);
      await countOne(asker, address, MAX_FAILURES.ofAddress, fail);
    },
  };
}

function subjectsOf({ from, clientId }: Asker): readonly [client: Buffer, address: Buffer] {
  return [clientSubject(from.address, clientId), clientSubject(from.address)];
}
