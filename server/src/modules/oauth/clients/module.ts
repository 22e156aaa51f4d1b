import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { createClients } from './known.ts';
import { bindClientRoutes } from './routes.ts';

export const clientsModule = defineModule('clients', (core, use) => ({
  offer: { clients: createClients(core.gate, core.changes) },
  routes(router) {
    const { publishKeys } = use(signingKeysModule);
    bindClientRoutes(router, { ...core, publishKeys });
  },
}));
