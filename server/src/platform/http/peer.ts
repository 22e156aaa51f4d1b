import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import { isWithin } from '../cidr.ts';

/** Who is at the other end, as far as proxies that are trusted tell. */
export interface Peer {
  /** IP address of the client. */
  readonly address: string;
  /** The host name that the client asked for, as it was sent; undefined when it sent none. */
  readonly host: string | undefined;
}

/** The other end of a connection, which stays the same for all of its requests. */
interface Neighbour {
  readonly address: string;
  readonly isTrusted: boolean;
}

const neighbours = new WeakMap<Socket, Neighbour>();

/**
 * Reads the peer of a request. X-Forwarded-For and X-Forwarded-Host count from trusted proxies only.
 * @param trustedProxies the same for all requests of a connection
 */
export function readPeer(request: IncomingMessage, trustedProxies: BlockList): Peer {
  const { address, isTrusted } = neighbourOf(request.socket, trustedProxies);
  const { host } = request.headers;
  if (!isTrusted) return { address, host };
  // The nearest proxy wrote the last one; those before it may be the client's own words.
  return {
    address: firstUntrusted(address, header(request, 'x-forwarded-for'), trustedProxies),
    host: header(request, 'x-forwarded-host')?.split(',').at(-1)?.trim() ?? host,
  };
}

function neighbourOf(socket: Socket, trustedProxies: BlockList): Neighbour {
  const known = neighbours.get(socket);
  if (known) return known;
  const address = plainAddress(socket.remoteAddress ?? '');
  const neighbour = { address, isTrusted: isWithin(trustedProxies, address) };
  // One that is gone already has no address any more; that is not to be remembered of it.
  if (address !== '') neighbours.set(socket, neighbour);
  return neighbour;
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
