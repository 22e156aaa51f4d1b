import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { StreamLimits } from '../../../tenancy/connection-limiter.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import { createFindSignedList } from './lists.ts';
import { Revocations } from './revocations.ts';
import { bindStatusRoutes } from './routes.ts';
import { StatusStreams } from './streams.ts';

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
export interface StatusLists {
  /** How many streams are open on this node. */
  readonly openStreams: number;
  bind(router: Router): void;
  /** Starts following the database. @returns how to stop */
  start(watch: Database['watch']): Promise<() => Promise<void>>;
  /** Ends every stream, so that shutdown does not wait for them. */
  endStreams(): Promise<void>;
}

export function createStatusLists(dependencies: Dependencies): StatusLists {
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
