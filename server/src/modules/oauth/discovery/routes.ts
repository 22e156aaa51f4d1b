import { DISCOVERY_ROUTES } from '@keywright/contract/routes/discovery';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { metadataOf, type ServerMetadata } from './metadata.ts';

/** Two kilobytes each. */
const MAX_KEPT = 1000;

interface Kept {
  /** Loaded anew after a change. */
  readonly tenant: Tenant;
  readonly metadata: ServerMetadata;
}

/** Discovery (RFC 8414, OpenID Connect Discovery): a client that knows the issuer finds the rest. */
export function bindDiscoveryRoutes(router: Router, baseUrl: () => string): void {
  const kept = createCache<string, Kept>(MAX_KEPT);
  router.addAll(DISCOVERY_ROUTES, ({ tenant }) => {
    const known = kept.get(tenant.id);
    if (known?.tenant === tenant) return known.metadata;
    const metadata = metadataOf(tenant, baseUrl());
    kept.set(tenant.id, { tenant, metadata });
    return metadata;
  });
}
