import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { createPushedRequests } from './pushed-requests.ts';

export const pushedRequestsModule = defineModule('pushed requests', ({ gate, clock }, use) => ({
  offer: { pushedRequests: createPushedRequests(gate, use(proofsModule).spend, clock) },
  sweeps: [expiring('pushed_requests', 'expires_at')],
}));
