import { VERSION } from '../../../platform/version.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { bindReferenceRoutes } from './routes.ts';

export const referenceModule = defineModule('reference', () => ({
  routes: (router) => bindReferenceRoutes(router, VERSION),
}));
