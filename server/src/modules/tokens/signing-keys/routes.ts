import { getIssuerKeySet, getKeySet } from '@keywright/contract/routes/key-set';
import type { FastifyReply } from 'fastify';
import { namesTag } from '../../../platform/http/etag.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { requireActive } from '../../../tenancy/resolve.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing } from './key-ring.ts';
import { KEY_SET_MAX_AGE_SECONDS } from './rules.ts';

const CACHE_CONTROL = `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`;

export function bindKeySetRoutes(router: Router, keys: KeyRing, directory: TenantDirectory): void {
  async function answer(tenant: Tenant, ifNoneMatch: string | undefined, reply: FastifyReply) {
    const keySet = await keys.keySet(tenant.id);
    const { etag } = keySet;
    reply.headers({ etag, 'cache-control': CACHE_CONTROL });
    if (namesTag(ifNoneMatch, etag)) reply.code(304);
    return keySet;
  }

  router.add(getKeySet, ({ tenant, headers }, _fail, reply) => {
    // The same address answers for several tenants: no cache may mix them up.
    reply.header('vary', 'X-Tenant-ID, Host');
    return answer(tenant, headers['if-none-match'], reply);
  });

  router.add(getIssuerKeySet, async ({ params, headers }, _fail, reply) => {
    const tenant = requireActive(await directory.findById(params.tenant_id));
    return answer(tenant, headers['if-none-match'], reply);
  });
}
