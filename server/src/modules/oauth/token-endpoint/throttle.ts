import type { Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  clientSubject,
  createFailureThrottle,
  type FailureLimit,
} from '../../authentication/attempts/index.ts';

const WINDOW_SECONDS = 60;
/** Failures within the window: of one address for one client, and of one address for all clients. */
const MAX_FAILURES = { ofClient: 20, ofAddress: 600 };

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
  const throttle = createFailureThrottle(gate, clock, WINDOW_SECONDS);
  return {
    admit(asker, fail) {
      if (!throttle.isQuiet) throttle.admit(asker.tenant, limitsOf(asker), fail);
    },
    count: (asker, fail) => throttle.count(asker.tenant, limitsOf(asker), fail),
  };
}

function limitsOf({ from, clientId }: Asker): readonly FailureLimit[] {
  return [
    {
      name: 'client',
      subject: clientSubject(from.address, clientId),
      limit: MAX_FAILURES.ofClient,
    },
    { name: 'address', subject: clientSubject(from.address), limit: MAX_FAILURES.ofAddress },
  ];
}
