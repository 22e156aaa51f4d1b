import {
  getIssuerStatusList,
  getStatusList,
  streamIssuerStatus,
  streamStatus,
} from '@keywright/contract/routes/status';
import { Live } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { Revocations, SignedLists } from './revocations.ts';
import { readListNumber } from './status-format.ts';
import { revocationsSweep } from './status-store.ts';
import { StatusStreams } from './status-streams.ts';
import { TokenBits } from './token-bits.ts';

/** How long dependents of expired tokens are stored. */
const EXPIRED_SECONDS = 5 * 60;

/** Publishes revocations. */
export const statusListsModule = defineModule('status lists', (core, use) => {
  const { gate, clock, metrics, watch } = core;
  const { keys } = use(signingKeysModule);
  const revocations = new Revocations(gate);
  const lists = new SignedLists(revocations, keys, clock);
  const streams = new StatusStreams(core, keys, revocations);
  metrics.gauge(
    'keywright_status_streams',
    'Connections that follow revocations.',
    () => streams.open,
  );
  let stopStreams = () => Promise.resolve();
  return {
    offer: { bits: new TokenBits(gate, clock), streams },
    routes: (router) => bindStatusRoutes(router, lists, streams),
    sweeps: [expiring('status_dependents', 'expires_at', EXPIRED_SECONDS), revocationsSweep],
    async start() {
      stopStreams = await streams.start(watch);
    },
    // Shutdown does not wait for streams.
    drain: () => streams.end(),
    stop: () => stopStreams(),
  };
});

const VERSION = /^\d{1,15}$/;

function bindStatusRoutes(router: Router, lists: SignedLists, streams: StatusStreams): void {
  router.addAll([getStatusList, getIssuerStatusList], async ({ tenant, params }, fail) => {
    const list = readListNumber(params.shard) ?? fail('NOT_FOUND');
    return (await lists.find(tenant, list)) ?? fail('NOT_FOUND');
  });
  router.addAll([streamStatus, streamIssuerStatus], ({ tenant, headers, address }, fail) => {
    const last = String(headers['last-event-id'] ?? '');
    const after = VERSION.test(last) ? Number(last) : undefined;
    return new Live((reply) => streams.follow({ tenant, address, after }, reply, fail));
  });
}
