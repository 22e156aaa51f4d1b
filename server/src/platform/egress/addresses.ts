import { isIPv4 } from 'node:net';
import { isWithin, rangesOf } from '../cidr.ts';

// The IANA special-purpose address registries (RFC 6890), and the metadata addresses of cloud providers.
const CLOSED_IPV4 = rangesOf([
  '0.0.0.0/8', // this network, unspecified (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598); metadata of Alibaba Cloud
  '127.0.0.0/8', // loopback (RFC 1122)
  '168.63.129.16', // platform services of Azure
  '169.254.0.0/16', // link-local (RFC 3927); metadata of most clouds
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // IETF protocols (RFC 6890); metadata of Oracle Cloud
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved, and broadcast (RFC 1112, RFC 919)
]);

// Everything outside this range is not assigned publicly: ::, ::1, mapped and compatible IPv4, NAT64 (64:ff9b::/96 and
// 64:ff9b:1::/48), discard-only, unique local, link-local, site-local, multicast, and unassigned ranges.
const GLOBAL_IPV6 = rangesOf(['2000::/3']); // RFC 4291 §2.4

const CLOSED_IPV6 = rangesOf([
  '2001::/23', // IETF protocols (RFC 2928): Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056): holds an IPv4 address
  '3ffe::/16', // former 6bone (RFC 3701)
  '3fff::/20', // documentation (RFC 9637)
]);

/**
 * Whether an address is public; false for anything that is not an address. IPv4 and IPv6 have separate lists, because a
 * combined list treats `::ffff:0:0/96` and all of IPv4 as the same.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isWithin(CLOSED_IPV4(), address);
  return isWithin(GLOBAL_IPV6(), address) && !isWithin(CLOSED_IPV6(), address);
}
