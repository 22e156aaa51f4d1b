import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../../operations/idempotency/index.ts';
import { bindAgentRoutes } from './routes.ts';

export const agentsModule = defineModule('agents', (core, use) => ({
  routes: (router) => bindAgentRoutes(router, { ...core, ...use(idempotencyModule) }),
}));
