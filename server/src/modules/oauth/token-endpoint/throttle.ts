import type { Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  createFailureThrottle,
  type NamedLimit,
  networkLimits,
} from '../../authentication/attempts/index.ts';

const WINDOW_SECONDS = 60;
/** Failures within the window: of one address for one client, and of one address for all clients. */
const OF_CLIENT = { login_attempts_limit: 20, login_attempts_window: WINDOW_SECONDS };
const OF_ADDRESS = { login_attempts_limit: 600, login_attempts_window: WINDOW_SECONDS };

/** The origin of a request, and the claimed client. */
export interface Asker {
  readonly tenant: Tenant;
  readonly from: Origin;
  readonly clientId: string;
}

/**
 * Keeps clients that fail too often from having signatures verified. A client that repeats an expired key blocks only
 * itself, not others behind its address.
 */
export interface Throttle {
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(asker: Asker, fail: Refuse): void;
  /** Counts a failure. @throws AppError TOO_MANY_ATTEMPTS when it exceeds the limit */
  count(asker: Asker, fail: Refuse): Promise<void>;
}

type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

export function createThrottle(gate: Gate, clock: Clock): Throttle {
  const throttle = createFailureThrottle(gate, clock);
  return {
    admit(asker, fail) {
      if (!throttle.isQuiet) throttle.admit(asker.tenant, limitsOf(asker), fail);
    },
    count: (asker, fail) => throttle.count(asker.tenant, limitsOf(asker), fail),
  };
}

function limitsOf({ from: { address }, clientId }: Asker): readonly NamedLimit[] {
  const ofClient = { counter: 'client', limits: OF_CLIENT, name: 'client' } as const;
  const ofAddress = { counter: 'clients', limits: OF_ADDRESS } as const;
  return [...networkLimits(address, ofClient, clientId), ...networkLimits(address, ofAddress)];
}
