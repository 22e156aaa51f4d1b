import type { BlockList } from 'node:net';
import { type AddressRange, isWithin, listOf, parseRange } from '../cidr.ts';

const MAX_PORT = 65_535;

/**
 * Destinations that outgoing calls can reach although they are not public, also over http and on ports other than 443.
 */
export interface EgressAllow {
  /** Names, `host` or `host:port`, allowed regardless of their addresses. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: BlockList;
  /** Addresses allowed on one port only, by port. */
  readonly ports: ReadonlyMap<number, BlockList>;
}

/** The host that a call connects to. */
export interface Destination {
  /** Lowercase ASCII, without a trailing dot; an IPv6 address has no brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Without TLS. */
  readonly isPlain: boolean;
  /** A mail server, for which the mail ports are allowed. */
  readonly isMail?: true;
}

/**
 * Parses a list like `hooks.internal, localhost:9000, 10.1.0.0/16, 10.2.0.5:8443, [fd00::7]:443`. Entries are names and
 * addresses, each with an optional port, and CIDRs. Others are returned in `invalid`.
 */
export function parseEgressAllow(list: string): {
  allow: EgressAllow;
  invalid: readonly string[];
} {
  const hosts = new Set<string>();
  const ranges: AddressRange[] = [];
  const endpoints: Endpoint[] = [];
  const invalid: string[] = [];
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const range = parseRange(entry);
    const endpoint = range ? undefined : parseEndpoint(entry);
    const host = range || endpoint ? undefined : parseHost(entry);
    if (range) ranges.push(range);
    else if (endpoint) endpoints.push(endpoint);
    else if (host !== undefined) hosts.add(host);
    else invalid.push(entry);
  }
  const byPort = Map.groupBy(endpoints, ({ port }) => port);
  const ports = new Map([...byPort].map(([port, ofPort]) => [port, listOf(ofPort.map(rangeOf))]));
  return { allow: { hosts, ranges: listOf(ranges), ports }, invalid };
}

interface Endpoint {
  readonly range: AddressRange;
  readonly port: number;
}

function rangeOf({ range }: Endpoint): AddressRange {
  return range;
}

/** Parses `10.2.0.5:8443` or `[fd00::7]:443`: without brackets, the end of an IPv6 address is ambiguous. */
function parseEndpoint(entry: string): Endpoint | undefined {
  const [, v6, v4, digits] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):([0-9]{1,5})$/i.exec(entry) ?? [];
  const range = parseRange(v6 ?? v4 ?? '');
  const port = Number(digits);
  if (!range || range.family !== (v6 === undefined ? 'ipv4' : 'ipv6')) return undefined;
  return port > 0 && port <= MAX_PORT ? { range, port } : undefined;
}

/** Only the public Internet. */
export const ALLOW_NOTHING: EgressAllow = parseEgressAllow('').allow;

/** Names in the form of URLs; a bare number would be an address in an unusual notation. */
function parseHost(entry: string): string | undefined {
  const [, name = '', port] =
    /^((?=[^:]*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::([0-9]{1,5}))?$/i.exec(entry) ?? [];
  if (name === '' || Number(port ?? 1) > MAX_PORT || Number(port ?? 1) === 0) return undefined;
  const host = URL.parse(`https://${name}`)?.hostname;
  if (host !== name.toLowerCase()) return undefined;
  return port === undefined ? host : `${host}:${Number(port)}`;
}

/** Whether the operator allowed this host by name. */
export function isHostAllowed(allow: EgressAllow, { hostname, port }: Destination): boolean {
  return allow.hosts.has(hostname) || allow.hosts.has(`${hostname}:${port}`);
}

export function isAddressAllowed(allow: EgressAllow, address: string, port: number): boolean {
  const atPort = allow.ports.get(port);
  return isWithin(allow.ranges, address) || (atPort !== undefined && isWithin(atPort, address));
}

/** Whether a name can resolve to an address that is allowed on this port. */
export function hasAllowedAddress(allow: EgressAllow, port: number): boolean {
  return allow.ranges.rules.length > 0 || allow.ports.has(port);
}
