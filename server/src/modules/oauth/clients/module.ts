import * as contract from '@keywright/contract/routes/clients';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { createUses } from '../../../tenancy/uses.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { unusedClientsSweep } from './client-lifecycle.ts';
import { algorithmsOf } from './client-rules.ts';
import {
  changeClient,
  getClientById,
  listClientsPage,
  registerClient,
  removeClient,
  addSecret,
  removeSecret,
} from './client-service.ts';
import { writeUses } from './client-store.ts';
import { requireCallable, createFetchSectorList } from './client-uris.ts';
import { createClients } from './clients.ts';
import { createPublishedClients } from './document-clients.ts';

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

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly publishKeys: PublishKeys;
}

function bindClientRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, clock, egress, publishKeys } = dependencies;
  const fetchSectorList = createFetchSectorList(egress);
  router.add(contract.listClients, ({ tenant, query }, fail) =>
    listClientsPage(gate.into(tenant.id), query, fail),
  );
  router.add(contract.createClient, ({ tenant, caller, body, repeatable }, fail) => {
    requireCallable(egress, body, fail);
    requireGoodProofs(body, egress, fail);
    const request = { caller, now: clock.now(), repeatable };
    const means = { of: tenant, publishKeys, fetchSectorList };
    return registerClient(gate.into(tenant.id), means, request, body, fail);
  });
  router.add(contract.getClient, ({ tenant, params }, fail) =>
    getClientById(gate.into(tenant.id), params.client_id, fail),
  );
  router.add(contract.updateClient, async ({ tenant, caller, params, body }, fail) => {
    requireCallable(egress, body, fail);
    requireGoodProofs(body, egress, fail);
    await publishKeys(tenant.id, algorithmsOf(body));
    const asked = { of: tenant, caller, id: params.client_id, patch: body };
    return changeClient(gate.into(tenant.id), fetchSectorList, asked, fail);
  });
  router.add(contract.deleteClient, async ({ tenant, caller, params }, fail) => ({
    id: await removeClient(gate.into(tenant.id), caller, params.client_id, fail),
    deleted: true as const,
  }));
  router.add(contract.createClientSecret, ({ tenant, caller, params, repeatable }, fail) => {
    const request = { caller, now: clock.now(), repeatable };
    return addSecret(gate.into(tenant.id), tenant, request, params.client_id, fail);
  });
  router.add(contract.deleteClientSecret, async ({ tenant, caller, params }, fail) => ({
    id: await removeSecret(gate.into(tenant.id), caller, params, fail),
    deleted: true as const,
  }));
}
