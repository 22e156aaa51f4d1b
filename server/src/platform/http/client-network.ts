import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
/** ::ffff:0:0/96 (RFC 4291 §2.5.5.2). */
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

/**
 * Returns the key for limiting clients: the IPv4 address, or the /64 of the IPv6 address, since a customer usually has
 * all of it (RFC 6177). The key does not depend on the spelling; an IPv4-mapped address counts as the IPv4 address.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.split('%', 1)[0] ?? '');
  const [high = 0, low = 0] = groups.slice(6);
  if (hex(groups.slice(0, 6)) === MAPPED_PREFIX) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return hex(groups.slice(0, 4));
}

/** A network that a client belongs to, and the multiple of one client's limit that it gets. */
export interface Network {
  readonly name: string;
  readonly times: number;
}

/**
 * The networks for limiting a client, narrowest first: a provider can assign a customer a /56 or a /48 of IPv6 (RFC
 * 6177), and an attacker can have several addresses of an IPv4 /24. The wider networks have room for more than one
 * client.
 */
export function clientNetworks(address: string): readonly Network[] {
  const narrow = clientNetwork(address);
  const network = { name: narrow, times: 1 };
  if (!narrow.includes(':')) {
    const wide = narrow.split('.').slice(0, 3).join('.');
    return isIPv4(narrow) ? [network, { name: `${wide}.0/24`, times: 16 }] : [network];
  }
  const [a = '0', b = '0', c = '0', d = '0'] = narrow.split(':');
  const site = Number.parseInt(d, 16) & 0xff00;
  return [
    network,
    { name: `${a}:${b}:${c}:${site.toString(16)}/56`, times: 4 },
    { name: `${a}:${b}:${c}/48`, times: 16 },
  ];
}

/** The widest of them. */
export function widestNetwork(address: string): string {
  return clientNetworks(address).at(-1)?.name ?? address;
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const left = readGroups(head);
  if (tail === undefined) return left;
  const right = readGroups(tail);
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

/** The last 32 bits can be written as an IPv4 address (RFC 4291 §2.2). */
function readGroups(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
