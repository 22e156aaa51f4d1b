import type { IncomingMessage } from 'node:http';
import { API_BASE } from '@keywright/contract/route';
import { isSameOrigin } from './pages/same-origin.ts';

/** The public API for the console: `/console/api/t/<tenant>/users` is `/users` of that tenant, by the cookie of a login. */
const PREFIX = '/console/api/t/';
/** A page of another origin cannot send it without a preflight, which no answer allows (Fetch §4.8). */
const MARK = 'x-keywright-console';

const isOfConsole = Symbol('of the console');

interface ConsoleRequest extends IncomingMessage {
  [isOfConsole]?: true;
}

/**
 * Leads a request of the console to the route of the public API. Its tenant is the one of the path, and whatever credential
 * it came with is dropped: only the cookie counts.
 * @returns the path and the query that are routed
 */
export function rewriteConsoleRequest(request: ConsoleRequest): string {
  const { url = '/' } = request;
  if (!url.startsWith(PREFIX)) return url;
  const end = url.indexOf('/', PREFIX.length);
  if (end < 0) return url;
  request[isOfConsole] = true;
  const { headers } = request;
  headers['x-tenant-id'] = url.slice(PREFIX.length, end);
  delete headers.authorization;
  delete headers['dpop'];
  return `${API_BASE}${url.slice(end)}`;
}

/** Whether a request came in at the console's address. */
export function isConsoleRequest(request: IncomingMessage): boolean {
  return (request as ConsoleRequest)[isOfConsole] === true;
}

/** Whether it was sent by the console itself, at the address of this issuer. */
export function isSentByConsole({ headers }: IncomingMessage, issuer: string): boolean {
  if (headers[MARK] !== '1') return false;
  // Browsers send neither with GET over plain HTTP, except on loopback. The mark is enough then.
  const isSilent = headers['sec-fetch-site'] === undefined && headers.origin === undefined;
  return isSilent || isSameOrigin(headers, issuer);
}
