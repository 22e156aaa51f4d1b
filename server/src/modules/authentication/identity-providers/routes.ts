import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  getIdentityProviderDependents,
  listIdentityProviders,
  updateIdentityProvider,
} from '@keywright/contract/routes/identity-providers';
import {
  addProviderDomain,
  listProviderDomains,
  removeProviderDomain,
  verifyProviderDomain,
} from '@keywright/contract/routes/provider-domains';
import type { Clock } from '../../../platform/clock.ts';
import { listedWhole } from '../../../platform/db/page.ts';
import { newIdentityProviderId } from '../../../platform/crypto/ids.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { NotifyAdministrators } from '../../events/messages/index.ts';
import { addDomain, listDomains, removeDomain, verifyDomain } from './provider-domain-service.ts';
import {
  findProviderDependents,
  changeProvider,
  getProviderById,
  listProvidersPage,
  removeProvider,
  writeProvider,
} from './provider-service.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly notifyAdministrators: NotifyAdministrators;
}

export function bindIdentityProviderRoutes(
  router: Router,
  { gate, dataKeys, egress, clock, baseUrl, notifyAdministrators }: Dependencies,
): void {
  router.add(listIdentityProviders, ({ tenant, query }, fail) =>
    listProvidersPage(gate.into(tenant.id), query, baseUrl(), fail),
  );
  router.add(createIdentityProvider, ({ tenant, caller, body, repeatable }, fail) => {
    const id = newIdentityProviderId(clock.now());
    return dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, (tx) => {
        const given = { egress, dataKey, baseUrl: baseUrl(), notifyAdministrators };
        return writeProvider(tx, caller, given, { ...body, id }, fail);
      }),
    );
  });
  router.add(getIdentityProvider, ({ tenant, params }, fail) =>
    getProviderById(gate.into(tenant.id), params.provider_id, baseUrl(), fail),
  );
  router.add(getIdentityProviderDependents, ({ tenant, params }, fail) =>
    findProviderDependents(gate.into(tenant.id), tenant, params.provider_id, fail),
  );
  router.add(updateIdentityProvider, ({ tenant, caller, params, body }, fail) => {
    return dataKeys.use(tenant.id, (dataKey) => {
      const given = { egress, dataKey, baseUrl: baseUrl(), notifyAdministrators };
      return changeProvider(gate.into(tenant.id), caller, given, params.provider_id, body, fail);
    });
  });
  router.add(deleteIdentityProvider, async ({ tenant, caller, params }, fail) => {
    const given = { notifyAdministrators };
    const id = await removeProvider(gate.into(tenant.id), caller, given, params.provider_id, fail);
    return { id, deleted: true as const };
  });
  bindDomainRoutes(router, { gate, egress, notifyAdministrators });
}

function bindDomainRoutes(
  router: Router,
  {
    gate,
    egress,
    notifyAdministrators,
  }: Pick<Dependencies, 'gate' | 'egress' | 'notifyAdministrators'>,
): void {
  router.add(listProviderDomains, async ({ tenant, params, query }, fail) =>
    listedWhole(query, await listDomains(gate.into(tenant.id), params.provider_id, fail), fail),
  );
  router.add(addProviderDomain, ({ tenant, caller, params, body }, fail) => {
    const added = { provider: params.provider_id, domain: body.domain };
    return addDomain(gate.into(tenant.id), notifyAdministrators, caller, added, fail);
  });
  router.add(verifyProviderDomain, ({ tenant, caller, params }, fail) => {
    const { provider_id: provider, domain } = params;
    const means = { egress, notifyAdministrators };
    return verifyDomain(gate.into(tenant.id), means, caller, { provider, domain }, fail);
  });
  router.add(removeProviderDomain, async ({ tenant, caller, params }, fail) => {
    const { provider_id: provider, domain } = params;
    const named = { provider, domain };
    const data = gate.into(tenant.id);
    const removed = await removeDomain(data, notifyAdministrators, caller, named, fail);
    return { domain: removed, deleted: true as const };
  });
}
