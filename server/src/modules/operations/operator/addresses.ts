import { BlockList, isIP } from 'node:net';

/** Addresses that are unreachable from outside (RFC 6890), and unspecified ones. */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');
}

/** Whether a listening address is reachable from the internet. A name never counts. */
export function isPublicAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && !NOT_PUBLIC.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host name, as it stands in a URL, means the machine itself (RFC 6761 §6.3). */
export function isLocalhost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** The host, as in a URL, at which this machine reaches a listener on `host`. */
export function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
