import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { bindDelegationRoutes } from '../delegations/routes.ts';
import { bindAgentRoutes } from './routes.ts';

/** Ended delegations are stored this long. */
const ENDED_DELEGATION_SECONDS = 30 * DAY_SECONDS;

export const agentsModule = defineModule('agents', (core) => ({
  routes(router) {
    bindAgentRoutes(router, core);
    bindDelegationRoutes(router, core.gate, core.clock);
  },
  sweeps: [expiring('delegations', 'expires_at', ENDED_DELEGATION_SECONDS)],
}));
