import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { observed } from '../db/observed.ts';
import { VERSION } from '../version.ts';
import { routeOf } from './metrics.ts';
import { readSampler } from './sampler.ts';

/** Traces of requests and their statements, for an OpenTelemetry collector. */
export interface Tracing {
  traceRequests(server: FastifyInstance): void;
  /** Returns the same database, whose statements are spans of the requests that send them. */
  traceDatabase(database: Database): Database;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/**
 * Starts tracing as configured by the standard variables (OTEL_EXPORTER_OTLP_…, OTEL_SERVICE_NAME,
 * OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER). Spans contain no identifiers, tokens or values of statements.
 */
export function startTracing(environment: Readonly<Record<string, string | undefined>>): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'keywright',
      'service.version': VERSION,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: readSampler(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('keywright', VERSION);
  const current = new AsyncLocalStorage<Context>();
  return {
    traceRequests: (server) => traceRequests(server, tracer, current),
    traceDatabase: (database) =>
      observed(database, (name) => startStatement(tracer, current.getStore(), name)),
    stop: () => provider.shutdown(),
  };
}

const propagator = new W3CTraceContextPropagator();
const spans = new WeakMap<FastifyRequest, Span>();

function traceRequests(
  server: FastifyInstance,
  tracer: Tracer,
  current: AsyncLocalStorage<Context>,
): void {
  // Spans start in a hook, so all requests are routed.
  server.storedResponses.isOff = true;
  server.addHook('onRequest', (request, _reply, done) => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const route = routeOf(request);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer.startSpan(route, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    current.run(trace.setSpan(parent, span), done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttributes({
      'http.response.status_code': reply.statusCode,
      ...attributesOf(request),
    });
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

function attributesOf({ id, facts }: FastifyRequest): Attributes {
  return {
    'keywright.request_id': id,
    ...(facts.tenant === undefined ? {} : { 'keywright.tenant_id': facts.tenant }),
    ...(facts.code === undefined ? {} : { 'error.type': facts.code }),
  };
}

function startStatement(tracer: Tracer, parent: Context | undefined, name: string) {
  const attributes = { 'db.system.name': 'postgresql' };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  return (isFailed: boolean) => {
    if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
}
