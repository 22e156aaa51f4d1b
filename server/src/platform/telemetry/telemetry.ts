import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { type Metrics, NO_METRICS } from './metrics.ts';

/** Metrics and traces, if enabled. */
export interface Telemetry {
  readonly metrics: Metrics;
  watchRequests(server: FastifyInstance): void;
  watchDatabase(database: Database): Database;
  /** Serves the metrics, if enabled. @returns the port */
  listen(host: string): Promise<number | undefined>;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts the enabled telemetry, and loads only what is enabled.
 * @param metricsPort undefined: no metrics
 */
export async function startTelemetry(
  metricsPort: number | undefined,
  environment: Environment,
): Promise<Telemetry> {
  const metrics =
    metricsPort === undefined ? undefined : (await import('./served-metrics.ts')).createMetrics();
  const tracing = isTracingConfigured(environment)
    ? (await import('./traces.ts')).startTracing(environment)
    : undefined;
  return {
    metrics: metrics ?? NO_METRICS,
    watchRequests(server) {
      tracing?.traceRequests(server);
      metrics?.measureRequests(server);
    },
    watchDatabase: (database) => tracing?.traceDatabase(database) ?? database,
    listen: async (host) => metrics?.listen(host, metricsPort ?? 0),
    stop: async () => {
      await metrics?.close();
      await tracing?.stop();
    },
  };
}

/**
 * Whether tracing is requested, as in the OpenTelemetry specification, except that no collector is assumed without an
 * endpoint.
 */
function isTracingConfigured(environment: Environment): boolean {
  const has = (name: string) => (environment[name] ?? '') !== '';
  return (
    environment['OTEL_SDK_DISABLED'] !== 'true' &&
    environment['OTEL_TRACES_EXPORTER'] !== 'none' &&
    (environment['OTEL_TRACES_EXPORTER'] === 'otlp' ||
      has('OTEL_EXPORTER_OTLP_ENDPOINT') ||
      has('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'))
  );
}
