import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from '@keywright/contract/routes/identity-providers';
import type { Clock } from '../../../platform/clock.ts';
import { newIdentityProviderId } from '../../../platform/crypto/ids.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  changeProvider,
  getProviderById,
  listProvidersPage,
  removeProvider,
  writeProvider,
} from './service.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

export function bindIdentityProviderRoutes(
  router: Router,
  { gate, dataKeys, egress, clock, baseUrl }: Dependencies,
): void {
  router.add(listIdentityProviders, ({ tenant, query }, fail) =>
    listProvidersPage(gate.into(tenant.id), query, baseUrl(), fail),
  );
  router.add(createIdentityProvider, ({ tenant, caller, body, repeatable }, fail) => {
    const id = newIdentityProviderId(clock.now());
    return dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, (tx) =>
        writeProvider(tx, caller, { egress, dataKey, baseUrl: baseUrl() }, { ...body, id }, fail),
      ),
    );
  });
  router.add(getIdentityProvider, ({ tenant, params }, fail) =>
    getProviderById(gate.into(tenant.id), params.provider_id, baseUrl(), fail),
  );
  router.add(updateIdentityProvider, ({ tenant, caller, params, body }, fail) => {
    return dataKeys.use(tenant.id, (dataKey) => {
      const given = { egress, dataKey, baseUrl: baseUrl() };
      return changeProvider(gate.into(tenant.id), caller, given, params.provider_id, body, fail);
    });
  });
  router.add(deleteIdentityProvider, async ({ tenant, caller, params }, fail) => ({
    id: await removeProvider(gate.into(tenant.id), caller, params.provider_id, fail),
    deleted: true as const,
  }));
}
