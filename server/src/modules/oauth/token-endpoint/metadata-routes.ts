import {
  getIssuerMetadata,
  getMetadataUnderIssuer,
  getServerMetadata,
} from '@keywright/contract/routes/discovery';
import type { Router } from '../../../tenancy/router.ts';
import { metadataOf } from './metadata.ts';

/** Discovery (RFC 8414): a client that knows the issuer finds the rest. */
export function bindMetadataRoutes(router: Router, baseUrl: () => string): void {
  const routes = [getServerMetadata, getIssuerMetadata, getMetadataUnderIssuer];
  router.addAll(routes, ({ tenant }) => metadataOf(tenant, baseUrl()));
}
