import * as contract from '@keywright/contract/routes/resources';
import { defineModule } from '../../../tenancy/module.ts';
import { ResourceDirectory } from './resource-directory.ts';
import { ResourceService } from './resource-service.ts';

export const resourcesModule = defineModule('resources', ({ gate, clock, changes }) => ({
  offer: { resources: new ResourceDirectory(gate, changes) },
  routes(router) {
    const service = new ResourceService(gate, clock);
    router.add(contract.listResources, ({ tenant, query }, fail) =>
      service.list(tenant, query, fail),
    );
    router.add(contract.createResource, ({ tenant, caller, body, repeatable }, fail) =>
      service.register(tenant, { caller, repeatable }, body, fail),
    );
    router.add(contract.getResource, ({ tenant, params }, fail) =>
      service.get(tenant, params.resource_id, fail),
    );
    router.add(contract.updateResource, ({ tenant, caller, params, body }, fail) =>
      service.change(tenant, caller, params.resource_id, body, fail),
    );
    router.add(contract.deleteResource, async ({ tenant, caller, params }, fail) => ({
      id: await service.remove(tenant, caller, params.resource_id, fail),
      deleted: true as const,
    }));
  },
}));
