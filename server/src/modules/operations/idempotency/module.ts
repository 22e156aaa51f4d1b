import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';

/** Sweeps expired responses that the router stores for retries. */
export const idempotencyModule = defineModule('idempotency', () => ({
  sweeps: [expiring('idempotency_keys', 'created_at', DAY_SECONDS)],
}));
