import type { IncomingHttpHeaders } from 'node:http';
import { isPage, type Route } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from './tenant.ts';

/** Browsers cache a preflight for at most two hours. */
const MAX_AGE_SECONDS = '7200';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, DPoP, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version, X-Tenant-ID, traceparent, tracestate';
const EXPOSED_HEADERS =
  'DPoP-Nonce, ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-ID';

const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
};

/**
 * CORS: lets scripts of other origins read the response. Any origin can read a response that is the same for all
 * callers; other responses are readable by the origins that the tenant allows. Never allows credentials that browsers
 * add themselves.
 */
export function originHeaders(
  route: Route,
  tenant: Tenant | undefined,
  { origin }: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  if (isPage(route)) return {};
  if (route.cors === 'any') return ANY_ORIGIN;
  const allowed = tenant?.config.allowed_origins ?? [];
  if (origin === undefined && allowed.length === 0) return {};
  if (origin === undefined || !allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
}

/** What a preflight requests (Fetch §3.2.2). */
export interface Preflight {
  readonly origin: string;
  readonly method: string;
  /** Whether the request will have the tenant header. A preflight does not contain its value. */
  readonly namesTenant: boolean;
}

export function readPreflight({ method, headers }: FastifyRequest): Preflight | undefined {
  const { origin } = headers;
  const requestMethod = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || origin === undefined || requestMethod === undefined) return undefined;
  const names = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',');
  return {
    origin,
    method: requestMethod,
    namesTenant: names.some((name) => name.trim() === 'x-tenant-id'),
  };
}

export function allowPreflight(
  reply: FastifyReply,
  origin: string,
  methods: readonly string[],
): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': MAX_AGE_SECONDS,
  });
}
