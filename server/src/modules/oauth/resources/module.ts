import * as contract from '@keywright/contract/routes/resources';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  createFindResources,
  changeResource,
  getResourceById,
  listResourcesPage,
  registerResource,
  removeResource,
} from './resource-service.ts';

export const resourcesModule = defineModule('resources', ({ gate, clock, changes }) => ({
  offer: { findResources: createFindResources(gate, changes) },
  routes: (router) => bindResourceRoutes(router, gate, clock),
}));

function bindResourceRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(contract.listResources, ({ tenant, query }, fail) =>
    listResourcesPage(gate.into(tenant.id), query, fail),
  );
  router.add(contract.createResource, ({ tenant, caller, body, repeatable }, fail) => {
    const request = { caller, tenant, now: clock.now(), repeatable };
    return registerResource(gate.into(tenant.id), request, body, fail);
  });
  router.add(contract.getResource, ({ tenant, params }, fail) =>
    getResourceById(gate.into(tenant.id), params.resource_id, fail),
  );
  router.add(contract.updateResource, ({ tenant, caller, params, body }, fail) =>
    changeResource(gate.into(tenant.id), { caller, tenant }, params.resource_id, body, fail),
  );
  router.add(contract.deleteResource, async ({ tenant, caller, params }, fail) => ({
    id: await removeResource(gate.into(tenant.id), caller, params.resource_id, fail),
    deleted: true as const,
  }));
}
