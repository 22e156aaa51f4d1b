import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';

/** What the router keeps for a repeat is swept when it is of no use any more. */
export const idempotencyModule = defineModule('idempotency', () => ({
  sweeps: [expiring('idempotency_keys', 'created_at', DAY_SECONDS)],
}));
