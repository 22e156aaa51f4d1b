import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import { isWithin, listOf, parseRange } from '../cidr.ts';

/** Who is at the other end, as far as proxies that are trusted tell. */
export interface Peer {
  /** IP address of the client. */
  readonly address: string;
  /** The host name that the client asked for, as it was sent; undefined when it sent none. */
  readonly host: string | undefined;
  /** It speaks for others, and is not trusted to: from an internal address it is likely to be a proxy of ours. */
  readonly untrustedProxy: 'internal' | 'public' | undefined;
}

/** The other end of a connection, which stays the same for all of its requests. */
interface Neighbour {
  readonly address: string;
  readonly isTrusted: boolean;
  readonly isInternal: boolean;
  /** Requests that are being answered: one, or several that were sent without waiting. */
  requests: number;
}

/** Where proxies of one's own are: loopback, link-local, private and shared addresses (RFC 6890, RFC 4193). */
const INTERNAL = listOf(
  [
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '::1/128',
    'fc00::/7',
    'fe80::/10',
  ].flatMap((text) => parseRange(text) ?? []),
);

const neighbours = new WeakMap<Socket, Neighbour>();
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const SLASH = 0x2f;

/**
 * Reads the peer of a request. X-Forwarded-For and X-Forwarded-Host count from trusted proxies only.
 * @param trustedProxies the same for all requests of a connection
 */
export function readPeer(request: IncomingMessage, trustedProxies: BlockList): Peer {
  const { address, isTrusted, isInternal } = neighbourOf(request.socket, trustedProxies);
  const host = askedHost(request);
  if (!isTrusted) {
    const speaksForOthers = request.headers['x-forwarded-for'] !== undefined;
    const kind = isInternal ? 'internal' : 'public';
    return { address, host, untrustedProxy: speaksForOthers ? kind : undefined };
  }
  // The nearest proxy wrote the last one; those before it may be the client's own words.
  return {
    address: firstUntrusted(address, header(request, 'x-forwarded-for'), trustedProxies),
    host: header(request, 'x-forwarded-host')?.split(',').at(-1)?.trim() ?? host,
    untrustedProxy: undefined,
  };
}

function neighbourOf(socket: Socket, trustedProxies: BlockList): Neighbour {
  const known = neighbours.get(socket);
  if (known) return known;
  const address = plainAddress(socket.remoteAddress ?? '');
  const neighbour = {
    address,
    isTrusted: isWithin(trustedProxies, address),
    isInternal: isWithin(INTERNAL, address),
    requests: 0,
  };
  // One that is gone already has no address any more; that is not to be remembered of it.
  if (address !== '') neighbours.set(socket, neighbour);
  return neighbour;
}

/** RFC 9112 §3.2.2: the host of a request target in absolute form counts, whatever the header says. */
function askedHost({ url = '', headers }: IncomingMessage): string | undefined {
  return url.charCodeAt(0) === SLASH ? headers.host : (ABSOLUTE.exec(url)?.[1] ?? headers.host);
}

/** That a request of this connection is being answered, or has been. */
export function noteRequest(socket: Socket, change: 1 | -1): void {
  const neighbour = neighbours.get(socket);
  if (neighbour) neighbour.requests += change;
}

export function isBusy(socket: Socket): boolean {
  return (neighbours.get(socket)?.requests ?? 0) > 0;
}

/** From the right: each proxy appended the address it saw, and only trusted ones are believed. */
function firstUntrusted(
  neighbour: string,
  forwarded: string | undefined,
  proxies: BlockList,
): string {
  let address = neighbour;
  for (const hop of (forwarded ?? '').split(',').toReversed()) {
    const candidate = plainAddress(hop.trim());
    if (isIP(candidate) === 0) return address;
    address = candidate;
    if (!isWithin(proxies, address)) return address;
  }
  return address;
}

/** An IPv4 address that came in over an IPv6 socket is written as what it is. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
