import type { IncomingMessage } from 'node:http';
import { API_BASE } from '@keywright/contract/route';
import { isSameOrigin } from './pages/cookies.ts';

/**
 * The public API for the console: `/console/api/t/<tenant>/users` is `/users` of that tenant, authenticated by the
 * cookie of a login there. `/console/api/in/t/<tenant>/users` is the same for a system administrator, authenticated by
 * the cookie of a login in the default tenant.
 */
const PREFIXES = { own: '/console/api/t/', inside: '/console/api/in/t/' } as const;
/** A page of another origin cannot send this header without a preflight, which no response allows (Fetch §4.8). */
const MARK = 'x-keywright-console';

const place = Symbol('where the console is');

/** Whether the console acts in the tenant of its login, or inside another one. */
export type ConsolePlace = keyof typeof PREFIXES;

interface ConsoleRequest extends IncomingMessage {
  [place]?: ConsolePlace;
}

/**
 * Rewrites a console request to the route of the public API. The path names the tenant. Other credentials in the
 * request are dropped: only the cookie counts.
 * @returns the path and the query for routing
 */
export function rewriteConsoleRequest(request: ConsoleRequest): string {
  const { url = '/' } = request;
  const at = url.startsWith(PREFIXES.own) ? 'own' : 'inside';
  const prefix = PREFIXES[at];
  const end = url.startsWith(prefix) ? url.indexOf('/', prefix.length) : -1;
  if (end < 0) return url;
  request[place] = at;
  const { headers } = request;
  headers['x-tenant-id'] = url.slice(prefix.length, end);
  delete headers.authorization;
  delete headers['dpop'];
  return `${API_BASE}${url.slice(end)}`;
}

/** Returns where the console that sent the request acts; undefined for a request outside the console's addresses. */
export function consolePlaceOf(request: IncomingMessage): ConsolePlace | undefined {
  return (request as ConsoleRequest)[place];
}

/** Whether the console itself sent the request, at the address of this issuer. */
export function isFromConsole({ headers }: IncomingMessage, issuer: string): boolean {
  if (headers[MARK] !== '1') return false;
  // With GET over plain HTTP, browsers send neither header, except on loopback. The mark is then sufficient.
  const isSilent = headers['sec-fetch-site'] === undefined && headers.origin === undefined;
  return isSilent || isSameOrigin(headers, issuer);
}
