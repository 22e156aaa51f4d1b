import * as contract from '@keywright/contract/routes/clients';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { requireCallable } from './called.ts';
import { changeClient } from './change.ts';
import { createFetchSectorList } from './sector.ts';
import { getClientById, listClientsPage, registerClient, removeClient } from './service.ts';
import { algorithmsOf } from './rules.ts';
import { addSecret, removeSecret } from './secrets.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly publishKeys: PublishKeys;
}

export function bindClientRoutes(router: Router, dependencies: Dependencies): void {
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
