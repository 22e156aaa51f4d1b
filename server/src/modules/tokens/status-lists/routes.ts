import type { IncomingHttpHeaders } from 'node:http';
import type { Fail } from '@keywright/contract/errors';
import {
  getIssuerStatusList,
  getStatusList,
  streamIssuerStatus,
  streamStatus,
} from '@keywright/contract/routes/status';
import type { FastifyReply } from 'fastify';
import { namesTag } from '../../../platform/http/etag.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { requireActive } from '../../../tenancy/resolve.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { FindSignedList } from './lists.ts';
import { readListNumber } from './reference.ts';
import { LIST_MAX_AGE_SECONDS } from './signed.ts';
import type { StatusStreams } from './streams.ts';

const CACHE_CONTROL = `public, max-age=${LIST_MAX_AGE_SECONDS}`;
/** The same address answers for several tenants: no cache may mix them up. */
const BY_TENANT = 'X-Tenant-ID, Host';
const VERSION = /^\d{1,15}$/;

interface Asked {
  readonly tenant: Tenant;
  readonly headers: IncomingHttpHeaders;
  readonly reply: FastifyReply;
}

export function bindStatusRoutes(
  router: Router,
  directory: TenantDirectory,
  findList: FindSignedList,
  streams: StatusStreams,
): void {
  const issuerOf = async (tenantId: string) => requireActive(await directory.findById(tenantId));

  router.add(getStatusList, ({ tenant, params, headers }, fail, reply) => {
    reply.header('vary', BY_TENANT);
    return answerList(findList, { tenant, headers, reply }, params.shard, fail);
  });
  router.add(streamStatus, ({ tenant, headers, address }, fail, reply) => {
    reply.header('vary', BY_TENANT);
    return answerStream(streams, { tenant, headers, reply }, address, fail);
  });
  router.add(getIssuerStatusList, async ({ params, headers }, fail, reply) => {
    const tenant = await issuerOf(params.tenant_id);
    return answerList(findList, { tenant, headers, reply }, params.shard, fail);
  });
  router.add(streamIssuerStatus, async ({ params, headers, address }, fail, reply) => {
    const tenant = await issuerOf(params.tenant_id);
    return answerStream(streams, { tenant, headers, reply }, address, fail);
  });
}

async function answerList(
  findList: FindSignedList,
  { tenant, headers, reply }: Asked,
  shard: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<string> {
  const list = readListNumber(shard) ?? fail('NOT_FOUND');
  const { token, etag } = (await findList(tenant, list)) ?? fail('NOT_FOUND');
  reply.headers({ etag, 'cache-control': CACHE_CONTROL }).type(getStatusList.ok.contentType);
  if (namesTag(headers['if-none-match'], etag)) reply.code(304);
  return token;
}

async function answerStream(
  streams: StatusStreams,
  { tenant, headers, reply }: Asked,
  address: string,
  fail: Fail<'UNAVAILABLE'>,
): Promise<string> {
  // A proxy that gathers the answer before it hands it on would hand on nothing.
  reply.header('x-accel-buffering', 'no').type(streamStatus.ok.contentType);
  if (reply.request.method === 'HEAD') return '';
  const last = String(headers['last-event-id'] ?? '');
  const after = VERSION.test(last) ? Number(last) : undefined;
  await streams.tell({ tenant, address, after }, reply, fail);
  return '';
}
