import { defineModule } from '../../../tenancy/module.ts';
import { bindTextRoutes } from './routes.ts';

export const textsModule = defineModule('texts', ({ gate }) => ({
  offer: {},
  routes: (router) => bindTextRoutes(router, gate),
}));
