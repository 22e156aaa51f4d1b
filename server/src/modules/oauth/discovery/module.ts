import {
  OPENID_METADATA_ROUTES,
  SERVER_METADATA_ROUTES,
} from '@keywright/contract/routes/discovery';
import { defineModule } from '../../../tenancy/module.ts';
import { requireOAuth } from '../clients/index.ts';
import { resourcesModule } from '../resources/module.ts';
import { ServerMetadata } from './server-metadata.ts';

/** Discovery (RFC 8414, OpenID Connect Discovery): a client that knows the issuer can find everything else. */
export const discoveryModule = defineModule('discovery', ({ baseUrl }, use) => ({
  routes(router) {
    const metadata = new ServerMetadata(baseUrl, use(resourcesModule).resources);
    router.addStored(
      SERVER_METADATA_ROUTES,
      ({ tenant }) => metadata.of(tenant),
      (tenant) => metadata.cached(tenant),
    );
    router.addStored(
      OPENID_METADATA_ROUTES,
      ({ tenant }, fail) => {
        requireOAuth(tenant, fail);
        return metadata.of(tenant);
      },
      (tenant) => (tenant.config.oauth_enabled ? metadata.cached(tenant) : undefined),
    );
  },
}));
