import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { createPushedRequests } from './pushed-requests.ts';

export const pushedRequestsModule = defineModule('pushed requests', ({ gate, clock }) => ({
  offer: { pushedRequests: createPushedRequests(gate, clock) },
  sweeps: [expiring('pushed_requests', 'expires_at')],
}));
