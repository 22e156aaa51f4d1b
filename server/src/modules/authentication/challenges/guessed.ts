import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { areGuessed, countedFrom } from './rules.ts';
import { countCodes } from './store.ts';

const FRESH_MS = 10_000;
const MAX_TENANTS = 10_000;

/** Whether somebody guesses the codes of a tenant. Looked up every ten seconds at most, on each node. */
export type IsGuessed = (tenantId: TenantId) => Promise<boolean>;

export function createIsGuessed(gate: Gate, clock: Clock): IsGuessed {
  const known = createCache<TenantId, { readonly isGuessed: boolean; readonly untilMs: number }>(
    MAX_TENANTS,
  );
  return async (tenantId) => {
    const now = clock.now();
    const last = known.get(tenantId);
    if (last && last.untilMs > now.getTime()) return last.isGuessed;
    const isGuessed = areGuessed(await countCodes(gate.into(tenantId), countedFrom(now)));
    known.set(tenantId, { isGuessed, untilMs: now.getTime() + FRESH_MS });
    return isGuessed;
  };
}
