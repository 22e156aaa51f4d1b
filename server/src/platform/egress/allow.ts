import type { BlockList } from 'node:net';
import { type AddressRange, isWithin, listOf, parseRange } from '../cidr.ts';

/** Where outgoing calls may go although it is not public: over http too, and on other ports than 443. */
export interface EgressAllow {
  /** Names, `host` or `host:port`; wherever their addresses are. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: BlockList;
}

/** A host at which a call goes out. */
export interface Destination {
  /** Lower-case, ASCII, without a trailing dot; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** http, without TLS. */
  readonly isPlain: boolean;
}

/**
 * Reads a list like `hooks.internal, localhost:9000, 10.1.0.0/16`. Entries are names, names with a port, addresses
 * and CIDRs. Those that are none of them are in `invalid`.
 */
export function parseEgressAllow(list: string): {
  allow: EgressAllow;
  invalid: readonly string[];
} {
  const hosts = new Set<string>();
  const ranges: AddressRange[] = [];
  const invalid: string[] = [];
  for (const entry of list.split(',').map((one) => one.trim())) {
    if (entry === '') continue;
    const range = parseRange(entry);
    const host = range ? undefined : parseHost(entry);
    if (range) ranges.push(range);
    else if (host !== undefined) hosts.add(host);
    else invalid.push(entry);
  }
  return { allow: { hosts, ranges: listOf(ranges) }, invalid };
}

/** Nothing but the public Internet. */
export const ALLOW_NOTHING: EgressAllow = parseEgressAllow('').allow;

/** Names are written as URLs write them; a number alone would be an address in an odd form. */
function parseHost(entry: string): string | undefined {
  const [, name = '', port] =
    /^((?=[^:]*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::([0-9]{1,5}))?$/i.exec(entry) ?? [];
  if (name === '' || Number(port ?? 1) > 65_535 || Number(port ?? 1) === 0) return undefined;
  const host = URL.parse(`https://${name}`)?.hostname;
  if (host !== name.toLowerCase()) return undefined;
  return port === undefined ? host : `${host}:${Number(port)}`;
}

/** Whether the operator named this host. */
export function isHostAllowed(allow: EgressAllow, { hostname, port }: Destination): boolean {
  return allow.hosts.has(hostname) || allow.hosts.has(`${hostname}:${port}`);
}

export function isAddressAllowed(allow: EgressAllow, address: string): boolean {
  return isWithin(allow.ranges, address);
}

export function someRangeIsAllowed(allow: EgressAllow): boolean {
  return allow.ranges.rules.length > 0;
}
