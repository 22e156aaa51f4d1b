import cluster from 'node:cluster';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Upper bounds of the buckets of request durations, in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics served on a separate port. */
export interface ServedMetrics extends Metrics {
  /** Measures the duration of this server's requests. */
  measureRequests(server: FastifyInstance): void;
  /** @returns the port; undefined in a worker, which reports to the primary instead of listening */
  listen(host: string, port: number): Promise<number | undefined>;
  close(): Promise<void>;
}

/**
 * Creates metrics in the text format of Prometheus. They have no tenant label, because there can be ten thousand
 * tenants.
 */
export function createMetrics(): ServedMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = metricsIn(registry);
  const http = serverOf(() => registry.metrics(), registry.contentType);
  return {
    ...metrics,
    measureRequests: (server) => measureRequests(server, registry, metrics),
    listen: async (host, port) => {
      if (!cluster.isWorker) return listenAt(http, host, port);
      AggregatorRegistry.setRegistries(registry);
      // The primary can only query this worker after one has been created.
      void new AggregatorRegistry();
      return undefined;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** Serves the aggregated metrics of all workers, in the primary. @returns the port */
export function serveMetricsOfWorkers(host: string, port: number): Promise<number> {
  const all = new AggregatorRegistry();
  return listenAt(
    serverOf(() => all.clusterMetrics(), all.contentType),
    host,
    port,
  );
}

function listenAt(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => resolve((http.address() as AddressInfo).port));
  });
}

function metricsIn(registry: Registry): Metrics {
  const registers = [registry];
  return {
    counter(name, help, labelNames = []) {
      const counter = new Counter({ name, help, labelNames: [...labelNames], registers });
      return (of = {}, by = 1) => counter.inc({ ...of }, by);
    },
    gauge(name, help, read, label, aggregator = 'sum') {
      const labelNames = label === undefined ? [] : [label];
      const gauge = new Gauge({
        name,
        help,
        labelNames,
        aggregator,
        registers: [],
        async collect() {
          const reading = await read();
          if (typeof reading === 'number') return this.set(reading);
          this.reset();
          const [labelName = 'state'] = labelNames;
          for (const [value, n] of Object.entries(reading)) this.set({ [labelName]: value }, n);
        },
      });
      registry.registerMetric(gauge);
    },
  };
}

function measureRequests(server: FastifyInstance, registry: Registry, metrics: Metrics): void {
  const durations = new Histogram({
    name: 'keywright_http_request_duration_seconds',
    help: 'Duration of requests, by route id.',
    labelNames: ['route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const logins = metrics.counter('keywright_logins_total', 'Logins by outcome.', ['outcome']);
  server.onFinished(({ routeId: route, status, ms, facts }) => {
    durations.observe({ route, status: String(status) }, ms / 1000);
    if (route === 'auth.login') logins({ outcome: facts.code ?? 'granted' });
  });
}

function serverOf(read: () => Promise<string>, contentType: string): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
