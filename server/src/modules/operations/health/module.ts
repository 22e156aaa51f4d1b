import { defineModule } from '../../../tenancy/module.ts';
import { bindServiceStateRoutes } from './routes.ts';

export const healthModule = defineModule('health', (core) => ({
  routes: (router) => bindServiceStateRoutes(router, core),
}));
