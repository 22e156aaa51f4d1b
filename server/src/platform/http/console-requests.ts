import type { IncomingMessage } from 'node:http';
import { API_BASE } from '@keywright/contract/route';
import { isSameOrigin } from './pages/same-origin.ts';

/**
 * The public API for the console: `/console/api/t/<tenant>/users` is `/users` of that tenant, by the cookie of a login there.
 * `/console/api/in/t/<tenant>/users` is the same for a system administrator, by the cookie of a login in the default tenant.
 */
const PREFIXES = { own: '/console/api/t/', inside: '/console/api/in/t/' } as const;
/** A page of another origin cannot send it without a preflight, which no answer allows (Fetch §4.8). */
const MARK = 'x-keywright-console';

const place = Symbol('where the console is');

/** In the tenant of its login, or inside another one. */
export type ConsolePlace = keyof typeof PREFIXES;

interface ConsoleRequest extends IncomingMessage {
  [place]?: ConsolePlace;
}

/**
 * Leads a request of the console to the route of the public API. Its tenant is the one of the path, and whatever credential
 * it came with is dropped: only the cookie counts.
 * @returns the path and the query that are routed
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

/** Where the console was that sent a request; undefined of one that did not come in at its address. */
export function consolePlaceOf(request: IncomingMessage): ConsolePlace | undefined {
  return (request as ConsoleRequest)[place];
}

/** Whether it was sent by the console itself, at the address of this issuer. */
export function isSentByConsole({ headers }: IncomingMessage, issuer: string): boolean {
  if (headers[MARK] !== '1') return false;
  // Browsers send neither with GET over plain HTTP, except on loopback. The mark is enough then.
  const isSilent = headers['sec-fetch-site'] === undefined && headers.origin === undefined;
  return isSilent || isSameOrigin(headers, issuer);
}
