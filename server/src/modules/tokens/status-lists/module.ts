import {
  getIssuerStatusList,
  getStatusList,
  streamIssuerStatus,
  streamStatus,
} from '@keywright/contract/routes/status';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { Live } from '../../../platform/http/replies.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { StreamLimits } from '../../../tenancy/connection-limiter.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { createFindSignedList, Revocations, type FindSignedList } from './revocations.ts';
import { readListNumber } from './status-format.ts';
import { revocationsSweep } from './status-store.ts';
import { StatusStreams } from './status-streams.ts';
import { createTokenBits } from './token-bits.ts';

const DEPENDENTS_KEPT_SECONDS = 5 * 60;

export const statusListsModule = defineModule('status lists', (core, use) => {
  const { gate, clock, config, watch } = core;
  const limits = config.statusStreams;
  const lists = createStatusLists({ ...core, ...use(signingKeysModule), limits });
  let stopStreams = () => Promise.resolve();
  return {
    offer: { bits: createTokenBits(gate, clock), lists },
    routes: (router) => lists.bind(router),
    sweeps: [
      expiring('status_dependents', 'expires_at', DEPENDENTS_KEPT_SECONDS),
      revocationsSweep,
    ],
    async start() {
      stopStreams = await lists.start(watch);
    },
    drain: () => lists.endStreams(),
    stop: () => stopStreams(),
  };
});

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly directory: TenantDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: StreamLimits;
}

/** Publishes revocations. */
interface StatusLists {
  /** How many streams are open on this node. */
  readonly openStreams: number;
  bind(router: Router): void;
  /** Starts following the database. @returns how to stop */
  start(watch: Database['watch']): Promise<() => Promise<void>>;
  /** Ends every stream, so that shutdown does not wait for them. */
  endStreams(): Promise<void>;
}

function createStatusLists(dependencies: Dependencies): StatusLists {
  const { gate, keys, clock } = dependencies;
  const revocations = new Revocations(gate);
  const findList = createFindSignedList(revocations, keys, clock);
  const streams = new StatusStreams({ ...dependencies, revocations });
  dependencies.metrics.gauge(
    'keywright_status_streams',
    'Connections that follow revocations.',
    () => streams.open,
  );
  return {
    get openStreams() {
      return streams.open;
    },
    bind: (router) => bindStatusRoutes(router, findList, streams),
    start: (watch) => streams.start(watch),
    endStreams: () => streams.end(),
  };
}

const VERSION = /^\d{1,15}$/;

function bindStatusRoutes(router: Router, findList: FindSignedList, streams: StatusStreams): void {
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
