import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  getIdentityProviderDependents,
  listIdentityProviders,
  prepareIdentityProvider,
  updateIdentityProvider,
} from '@keywright/contract/routes/identity-providers';
import {
  addProviderDomain,
  listProviderDomains,
  removeProviderDomain,
  verifyProviderDomain,
} from '@keywright/contract/routes/provider-domains';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { ProviderDomainService } from './provider-domain-service.ts';
import { ProviderService } from './provider-service.ts';

export const identityProvidersModule = defineModule('identity-providers', (core, use) => {
  const { notices } = use(messagesModule);
  return {
    routes(router) {
      bindProviders(router, new ProviderService(core, notices));
      const { gate, egress } = core;
      bindDomains(router, new ProviderDomainService(gate, egress, notices));
    },
  };
});

function bindProviders(router: Router, providers: ProviderService): void {
  router.add(listIdentityProviders, ({ tenant, query }, fail) =>
    providers.list(tenant, query, fail),
  );
  router.add(prepareIdentityProvider, ({ tenant }) => providers.prepare(tenant));
  router.add(createIdentityProvider, ({ tenant, caller, body, repeatable }, fail) =>
    providers.create(tenant, caller, body, repeatable, fail),
  );
  router.add(getIdentityProvider, ({ tenant, params }, fail) =>
    providers.get(tenant, params.provider_id, fail),
  );
  router.add(getIdentityProviderDependents, ({ tenant, params }, fail) =>
    providers.findDependents(tenant, params.provider_id, fail),
  );
  router.add(updateIdentityProvider, ({ tenant, caller, params, body }, fail) =>
    providers.update(tenant, caller, params.provider_id, body, fail),
  );
  router.add(deleteIdentityProvider, async ({ tenant, caller, params }, fail) => ({
    id: await providers.delete(tenant, caller, params.provider_id, fail),
    deleted: true as const,
  }));
}

function bindDomains(router: Router, domains: ProviderDomainService): void {
  router.add(listProviderDomains, async ({ tenant, params, query }, fail) =>
    listedWhole(query, await domains.list(tenant, params.provider_id, fail), fail),
  );
  router.add(addProviderDomain, ({ tenant, caller, params, body }, fail) => {
    const added = { provider: params.provider_id, domain: body.domain };
    return domains.add(tenant, caller, added, fail);
  });
  router.add(verifyProviderDomain, ({ tenant, caller, params }, fail) => {
    const { provider_id: provider, domain } = params;
    return domains.verify(tenant, caller, { provider, domain }, fail);
  });
  router.add(removeProviderDomain, async ({ tenant, caller, params }, fail) => {
    const { provider_id: provider, domain } = params;
    const removed = await domains.remove(tenant, caller, { provider, domain }, fail);
    return { domain: removed, deleted: true as const };
  });
}
