import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createReadRepeatable } from './service.ts';

export const idempotencyModule = defineModule('idempotency', ({ dataKeys }) => ({
  offer: { readRepeatable: createReadRepeatable(dataKeys) },
  sweeps: [expiring('idempotency_keys', 'created_at', DAY_SECONDS)],
}));
