import * as contract from '@keywright/contract/routes/clients';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  changeClient,
  getClientById,
  listClientsPage,
  registerClient,
  removeClient,
} from './service.ts';
import { addSecret, removeSecret } from './secrets.ts';

export function bindClientRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(contract.listClients, ({ tenant, query }, fail) =>
    listClientsPage(gate.into(tenant.id), query, fail),
  );
  router.add(contract.createClient, ({ tenant, caller, body, repeatable }, fail) =>
    registerClient(gate.into(tenant.id), { caller, now: clock.now(), repeatable }, body, fail),
  );
  router.add(contract.getClient, ({ tenant, params }, fail) =>
    getClientById(gate.into(tenant.id), params.client_id, fail),
  );
  router.add(contract.updateClient, ({ tenant, caller, params, body }, fail) =>
    changeClient(gate.into(tenant.id), caller, params.client_id, body, fail),
  );
  router.add(contract.deleteClient, async ({ tenant, caller, params }, fail) => ({
    id: await removeClient(gate.into(tenant.id), caller, params.client_id, fail),
    deleted: true as const,
  }));
  router.add(contract.createClientSecret, ({ tenant, caller, params, repeatable }, fail) => {
    const request = { caller, now: clock.now(), repeatable };
    return addSecret(gate.into(tenant.id), request, params.client_id, fail);
  });
  router.add(contract.deleteClientSecret, async ({ tenant, caller, params }, fail) => ({
    id: await removeSecret(gate.into(tenant.id), caller, params, fail),
    deleted: true as const,
  }));
}
