import {
  getIssuerStatusList,
  getStatusList,
  streamIssuerStatus,
  streamStatus,
} from '@keywright/contract/routes/status';
import { Live } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { FindSignedList } from './lists.ts';
import { readListNumber } from './reference.ts';
import type { StatusStreams } from './streams.ts';

const VERSION = /^\d{1,15}$/;

export function bindStatusRoutes(
  router: Router,
  findList: FindSignedList,
  streams: StatusStreams,
): void {
  router.addAll([getStatusList, getIssuerStatusList], async ({ tenant, params }, fail) => {
    const list = readListNumber(params.shard) ?? fail('NOT_FOUND');
    return (await findList(tenant, list)) ?? fail('NOT_FOUND');
  });
  router.addAll([streamStatus, streamIssuerStatus], ({ tenant, headers, address }, fail) => {
    const last = String(headers['last-event-id'] ?? '');
    const after = VERSION.test(last) ? Number(last) : undefined;
    return new Live((reply) => streams.tell({ tenant, address, after }, reply, fail));
  });
}
