import { defineModule } from '../../../tenancy/module.ts';
import { clientsModule } from '../clients/module.ts';
import { bindTokenPreviews } from './routes.ts';

export const tokenPreviewsModule = defineModule('token-previews', (core, use) => ({
  routes: (router) => bindTokenPreviews(router, { ...core, ...use(clientsModule) }),
}));
