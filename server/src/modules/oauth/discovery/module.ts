import {
  OPENID_METADATA_ROUTES,
  SERVER_METADATA_ROUTES,
} from '@keywright/contract/routes/discovery';
import { createCache } from '../../../platform/cache/cache.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireOAuth } from '../clients/index.ts';
import type { FindResources, KnownResources } from '../resources/index.ts';
import { resourcesModule } from '../resources/module.ts';
import { metadataOf, type ServerMetadata } from './server-metadata.ts';

export const discoveryModule = defineModule('discovery', ({ baseUrl }, use) => ({
  routes: (router) => bindDiscoveryRoutes(router, baseUrl, use(resourcesModule).findResources),
}));

/** Two kilobytes each. */
const MAX_KEPT = 1000;

interface Kept {
  /** Both are loaded anew after a change. */
  readonly tenant: Tenant;
  readonly resources: KnownResources;
  readonly metadata: ServerMetadata;
}

/** Discovery (RFC 8414, OpenID Connect Discovery): a client that knows the issuer finds the rest. */
function bindDiscoveryRoutes(
  router: Router,
  baseUrl: () => string,
  findResources: FindResources,
): void {
  const kept = createCache<string, Kept>(MAX_KEPT);
  const find = async (tenant: Tenant) => {
    const resources = await findResources(tenant.id);
    const known = kept.get(tenant.id);
    if (known?.tenant === tenant && known.resources === resources) return known.metadata;
    const metadata = metadataOf(tenant, baseUrl(), resources);
    kept.set(tenant.id, { tenant, resources, metadata });
    return metadata;
  };
  router.addAll(SERVER_METADATA_ROUTES, ({ tenant }) => find(tenant));
  router.addAll(OPENID_METADATA_ROUTES, ({ tenant }, fail) => {
    requireOAuth(tenant, fail);
    return find(tenant);
  });
}
