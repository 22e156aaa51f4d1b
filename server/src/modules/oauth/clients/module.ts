import { defineModule } from '../../../tenancy/module.ts';
import { createUses } from '../../../tenancy/uses.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { unusedClientsSweep } from '../registration/sweep.ts';
import { resourcesModule } from '../resources/module.ts';
import { createClients } from './known.ts';
import { createPublishedClients } from './published-clients.ts';
import { bindClientRoutes } from './routes.ts';
import { writeUses } from './uses-store.ts';

const HOUR_MS = 3_600_000;

export const clientsModule = defineModule('clients', (core, use) => {
  const write = writeUses.bind(undefined, core.gate);
  const uses = createUses(core, { what: 'OAuth clients', periodMs: HOUR_MS, write });
  const { publishKeys } = use(signingKeysModule);
  const { findResources } = use(resourcesModule);
  const published = createPublishedClients.bind(undefined, { ...core, publishKeys, findResources });
  return {
    offer: { clients: createClients(core.gate, core.changes, published), noteClientUse: uses.note },
    sweeps: [unusedClientsSweep],
    routes(router) {
      bindClientRoutes(router, { ...core, publishKeys });
    },
    stop: () => uses.stop(),
  };
});
