import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BlockList, type Socket, isIP } from 'node:net';
import { isWithin, rangesOf } from '../cidr.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/** The client, as far as trusted proxies identify it. */
export interface Peer {
  /** IP address of the client. */
  readonly address: string;
  /** The host name requested by the client, as sent; undefined if the client sent none. */
  readonly host: string | undefined;
  /**
   * The client sends `X-Forwarded-For` without being trusted: an internal address is probably a proxy of the operator.
   */
  readonly untrustedProxy: 'internal' | 'public' | undefined;
}

/** The peer of a connection, shared by all requests on it. */
interface Neighbor {
  readonly address: string;
  readonly isTrusted: boolean;
  readonly isInternal: boolean;
  /** Requests in progress: one, or several if they are pipelined. */
  requests: number;
  /** The response to the last of them. */
  response: ServerResponse | undefined;
}

/** Addresses of internal proxies: loopback, link-local, private and shared (RFC 6890, RFC 4193). */
const INTERNAL = rangesOf([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]);

const neighbors = new WeakMap<Socket, Neighbor>();
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const SLASH = 0x2f;

/**
 * Determines the peer of a request. X-Forwarded-For and X-Forwarded-Host are used from trusted proxies only.
 * @param trustedProxies the same for all requests of a connection
 */
export function readPeer(request: IncomingMessage, trustedProxies: BlockList): Peer {
  const { address, isTrusted, isInternal } = neighborOf(request.socket, trustedProxies);
  const host = requestHost(request);
  if (!isTrusted) {
    const speaksForOthers = request.headers['x-forwarded-for'] !== undefined;
    const kind = isInternal ? 'internal' : 'public';
    return { address, host, untrustedProxy: speaksForOthers ? kind : undefined };
  }
  // The nearest proxy appended the last value; the client can forge earlier ones.
  return {
    address: firstUntrusted(address, header(request, 'x-forwarded-for'), trustedProxies),
    host: header(request, 'x-forwarded-host')?.split(',').at(-1)?.trim() ?? host,
    untrustedProxy: undefined,
  };
}

function neighborOf(socket: Socket, trustedProxies: BlockList): Neighbor {
  const cached = neighbors.get(socket);
  if (cached) return cached;
  const address = plainAddress(socket.remoteAddress ?? '');
  const neighbor = {
    address,
    isTrusted: isWithin(trustedProxies, address),
    isInternal: isWithin(INTERNAL(), address),
    requests: 0,
    response: undefined,
  };
  // A closed connection has no address; that must not be cached.
  if (address !== '') neighbors.set(socket, neighbor);
  return neighbor;
}

/** RFC 9112 §3.2.2: the host of a request target in absolute form takes precedence over the header. */
function requestHost({ url = '', headers }: IncomingMessage): string | undefined {
  return url.charCodeAt(0) === SLASH ? headers.host : (ABSOLUTE.exec(url)?.[1] ?? headers.host);
}

/** Notes the start of a request on its connection. @returns how many requests are in progress now */
export function noteStart({ socket }: IncomingMessage, response: ServerResponse): number {
  const neighbor = neighbors.get(socket);
  if (!neighbor) return 0;
  neighbor.response = response;
  neighbor.requests += 1;
  return neighbor.requests;
}

/** Notes the end of a request on this connection. */
export function noteEnd(socket: Socket): void {
  const neighbor = neighbors.get(socket);
  if (!neighbor) return;
  neighbor.requests -= 1;
  if (neighbor.requests === 0) neighbor.response = undefined;
}

/** Makes the connection close after the requests in progress. */
export function closeAfterRequests(socket: Socket): void {
  const response = neighbors.get(socket)?.response;
  if (response) response.shouldKeepAlive = false;
}

export function isBusy(socket: Socket): boolean {
  return (neighbors.get(socket)?.requests ?? 0) > 0;
}

/**
 * Reads the addresses from the right: each proxy appended the address it saw, and only trusted proxies are believed.
 */
function firstUntrusted(
  neighbor: string,
  forwarded: string | undefined,
  proxies: BlockList,
): string {
  let address = neighbor;
  for (const hop of (forwarded ?? '').split(',').toReversed()) {
    const candidate = plainAddress(hop.trim());
    if (isIP(candidate) === 0) return address;
    address = candidate;
    if (!isWithin(proxies, address)) return address;
  }
  return address;
}

/** Returns an IPv4 address on an IPv6 socket in its IPv4 form. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

const WARNING =
  'X-Forwarded-For is ignored, because it came from an IP address that is not in KEYWRIGHT_TRUSTED_PROXIES. ' +
  'If it is your proxy, add it: until then, all its clients share its IP address and its limits.';

/** A proxy that is still in use has sent a request within this time. */
const SEEN_MS = 15 * 60 * 1000;

/**
 * Tracks requests forwarded by an untrusted address. They count toward that address, like all others: a header raises
 * no limit. An internal address is probably a proxy of the operator, who must configure it.
 */
export class UntrustedProxies {
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: Clock;
  readonly #warned = new Set<Peer['untrustedProxy']>([undefined]);
  #seenAt: Date | undefined;

  constructor(log: Pick<Log, 'warn'>, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Logs the first request of each kind: a client that sends the header must not flood the log. */
  note({ address, untrustedProxy }: Peer): void {
    if (untrustedProxy === 'internal') this.#seenAt = this.#clock.now();
    if (this.#warned.has(untrustedProxy)) return;
    this.#warned.add(untrustedProxy);
    this.#log.warn({ address }, WARNING);
  }

  /** Whether an internal proxy is in use. Public clients can also send the header, and must not cause this. */
  get isInternalInUse(): boolean {
    return (
      this.#seenAt !== undefined && this.#clock.now().getTime() < this.#seenAt.getTime() + SEEN_MS
    );
  }
}
