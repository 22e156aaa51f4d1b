import { defineModule } from '../../../tenancy/module.ts';
import { bindServiceStateRoutes } from './routes.ts';

export const healthModule = defineModule('health', ({ databaseAnswers, isDraining, clock }) => ({
  routes: (router) => bindServiceStateRoutes(router, databaseAnswers, isDraining, clock),
}));
