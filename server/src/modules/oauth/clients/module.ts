import * as contract from '@keywright/contract/routes/clients';
import * as branding from '@keywright/contract/routes/client-branding';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { Uses } from '../../../tenancy/activity.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { ClientBrandings } from './client-branding.ts';
import { SectorLists } from './client-documents.ts';
import { unusedClientsSweep } from './client-lifecycle.ts';
import { ClientService } from './client-service.ts';
import { writeUses } from './client-store.ts';
import { Clients, DocumentClients } from './clients.ts';

const HOUR_MS = 3_600_000;

export const clientsModule = defineModule('clients', (core, use) => {
  const { gate, changes, egress } = core;
  const write = writeUses.bind(undefined, gate);
  const uses = new Uses(core, { what: 'OAuth clients', periodMs: HOUR_MS, write });
  const { applicationKeys } = use(signingKeysModule);
  const documentClients = new DocumentClients(
    core,
    applicationKeys,
    use(resourcesModule).resources,
  );
  const sectorLists = new SectorLists(egress);
  return {
    offer: {
      clients: new Clients(gate, changes, documentClients),
      sectorLists,
      noteClientUse: uses.note,
    },
    sweeps: [unusedClientsSweep],
    routes(router) {
      const service = new ClientService(core, applicationKeys, sectorLists);
      router.add(contract.listClients, ({ tenant, query }, fail) =>
        service.list(tenant, query, fail),
      );
      router.add(contract.createClient, ({ tenant, caller, body, repeatable }, fail) =>
        service.register(tenant, { caller, repeatable }, body, fail),
      );
      router.add(contract.getClient, ({ tenant, params }, fail) =>
        service.get(tenant, params.client_id, fail),
      );
      router.add(contract.updateClient, ({ tenant, caller, params, body }, fail) =>
        service.change(tenant, caller, params.client_id, body, fail),
      );
      router.add(contract.deleteClient, async ({ tenant, caller, params }, fail) => ({
        id: await service.remove(tenant, caller, params.client_id, fail),
        deleted: true as const,
      }));
      bindBranding(router, new ClientBrandings(gate));
      router.add(contract.createClientSecret, ({ tenant, caller, params, repeatable }, fail) =>
        service.addSecret(tenant, { caller, repeatable }, params.client_id, fail),
      );
      router.add(contract.deleteClientSecret, async ({ tenant, caller, params }, fail) => ({
        id: await service.removeSecret(tenant, caller, params, fail),
        deleted: true as const,
      }));
    },
    stop: () => uses.stop(),
  };
});

function bindBranding(router: Router, brandings: ClientBrandings): void {
  router.add(branding.getClientBranding, ({ tenant, params }, fail) =>
    brandings.get(tenant, params.client_id, fail),
  );
  router.add(branding.updateClientBranding, ({ tenant, caller, params, body }, fail) =>
    brandings.change(tenant, caller, params.client_id, body.settings ?? {}, fail),
  );
  router.add(branding.putClientImage, ({ tenant, caller, params, body }, fail) =>
    brandings.putImage(tenant, caller, params, body.image, fail),
  );
  router.add(branding.deleteClientImage, ({ tenant, caller, params }, fail) =>
    brandings.deleteImage(tenant, caller, params, fail),
  );
}
