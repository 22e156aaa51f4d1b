import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { bindClientRoutes } from './routes.ts';

export const clientsModule = defineModule('clients', ({ gate, clock }, use) => ({
  routes(router) {
    const { publishKeys } = use(signingKeysModule);
    bindClientRoutes(router, { gate, clock, publishKeys });
  },
}));
