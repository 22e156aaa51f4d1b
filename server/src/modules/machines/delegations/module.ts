import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { bindDelegationRoutes } from './routes.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const delegationsModule = defineModule('delegations', ({ gate, clock }) => ({
  routes: (router) => bindDelegationRoutes(router, gate, clock),
  sweeps: [expiring('delegations', 'expires_at', KEPT_SECONDS)],
}));
