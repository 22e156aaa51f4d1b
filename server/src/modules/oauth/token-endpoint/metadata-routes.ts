import {
  getIssuerMetadata,
  getMetadataUnderIssuer,
  getServerMetadata,
} from '@keywright/contract/routes/discovery';
import type { FastifyReply } from 'fastify';
import { namesTag } from '../../../platform/http/etag.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { requireActive } from '../../../tenancy/resolve.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { metadataOf } from './metadata.ts';

const CACHE_CONTROL = `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`;

/** Discovery (RFC 8414): a client that knows the issuer finds the rest. */
export function bindMetadataRoutes(
  router: Router,
  directory: TenantDirectory,
  baseUrl: () => string,
): void {
  function answer(tenant: Tenant, ifNoneMatch: string | undefined, reply: FastifyReply) {
    const metadata = metadataOf(tenant, baseUrl());
    reply.headers({ etag: metadata.etag, 'cache-control': CACHE_CONTROL });
    if (namesTag(ifNoneMatch, metadata.etag)) reply.code(304);
    return metadata;
  }

  router.add(getServerMetadata, ({ tenant, headers }, _fail, reply) => {
    // The same address answers for several tenants: no cache may mix them up.
    reply.header('vary', 'X-Tenant-ID, Host');
    return answer(tenant, headers['if-none-match'], reply);
  });

  for (const route of [getIssuerMetadata, getMetadataUnderIssuer]) {
    router.add(route, async ({ params, headers }, _fail, reply) => {
      const tenant = requireActive(await directory.findById(params.tenant_id));
      return answer(tenant, headers['if-none-match'], reply);
    });
  }
}
