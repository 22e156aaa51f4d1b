import { AppError, type Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { createFailureThrottle, networkLimits } from '../../authentication/attempts/index.ts';
import type { Refresh, Refreshed, RefreshTokenUse } from './rotation.ts';

const WINDOW_SECONDS = 60;
/**
 * Rejected refreshes per address in the window. An address may be that of an office whose sessions were ended together:
 * each of its clients is rejected once.
 */
export const MAX_REFUSED_REFRESHES = 300;

type ThrottledRefresh = (
  tenant: Tenant,
  use: RefreshTokenUse & { readonly client: null },
  fail: Parameters<Refresh>[2] & Fail<'TOO_MANY_ATTEMPTS'>,
) => Promise<Refreshed>;

/** Of direct logins, for addresses that are not refused all the time. A refresh that succeeds costs nothing more. */
export function throttled(refresh: Refresh, gate: Gate, clock: Clock): ThrottledRefresh {
  const throttle = createFailureThrottle(gate, clock);
  const limits = {
    login_attempts_limit: MAX_REFUSED_REFRESHES,
    login_attempts_window: WINDOW_SECONDS,
  };
  const limitsOf = (address: string) => networkLimits(address, { counter: 'refresh', limits });
  return async (tenant, use, fail) => {
    if (!throttle.isQuiet) throttle.admit(tenant, limitsOf(use.from.address), fail);
    try {
      const refreshed = await refresh(tenant, use, fail);
      if (refreshed === 'stale') throw new Error('A direct login has no client.');
      return refreshed;
    } catch (error) {
      if (error instanceof AppError) await throttle.count(tenant, limitsOf(use.from.address), fail);
      throw error;
    }
  };
}
