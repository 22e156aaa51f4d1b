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
/** Failures within the window: of one address for one client, and for all that it makes up. */
const MAX_FAILURES = { ofClient: 20, ofAddress: 600 };

/** Who asks: from where, and which client they say they are. */
export interface Asker {
  readonly tenant: Tenant;
  readonly from: Origin;
  readonly clientId: string;
}

/**
 * Keeps who fails too often from having signatures checked. A client that goes on with a key of yesterday shuts out
 * itself, not the others behind its address.
 */
export interface Throttle {
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(asker: Asker, fail: Refuse): void;
  /** Counts a failure. @throws AppError TOO_MANY_ATTEMPTS when it is one too many */
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
