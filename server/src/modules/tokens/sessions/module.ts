import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { bindSessionRoutes } from './routes.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const sessionsModule = defineModule('sessions', ({ gate, clock }) => ({
  routes: (router) => bindSessionRoutes(router, gate, clock),
  sweeps: [expiring('sessions', 'absolute_expires_at', KEPT_SECONDS)],
}));
