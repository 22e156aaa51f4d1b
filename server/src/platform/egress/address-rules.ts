import { isIP, isIPv4 } from 'node:net';
import { isWithin, rangesOf } from '../cidr.ts';
import {
  type Destination,
  type EgressAllow,
  hasAllowedAddress,
  isAddressAllowed,
  isHostAllowed,
} from './operator-exceptions.ts';
import { type Unanswered, unanswered } from './outcome.ts';
import { EgressError, type EgressReason } from './reasons.ts';

const MAX_URL_LENGTH = 2048;

/** A URL that can be called, as far as can be determined without DNS. */
export interface JudgedUrl {
  /** Scheme, host and port: the key of connection pools. */
  readonly origin: string;
  readonly path: string;
  readonly destination: Destination;
}

/**
 * Checks a URL. The WHATWG parser has already normalized every form of an IPv4 address (127.1, 0x7f.1, 2130706433,
 * 0177.0.0.1, full-width digits).
 */
export function judgeUrl(allow: EgressAllow, text: string): JudgedUrl | EgressError {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return new EgressError('url_invalid');
  const isPlain = url.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:') return new EgressError('scheme_not_allowed');
  const host = url.hostname.replace(/\.$/, '');
  const destination: Destination = {
    hostname: host.startsWith('[') ? host.slice(1, -1) : host,
    port: Number(url.port || (isPlain ? 80 : 443)),
    isPlain,
  };
  const reason = objectionToHost(allow, destination);
  if (reason !== undefined) return new EgressError(reason);
  const origin = `${url.protocol}//${host}${url.port && `:${url.port}`}`;
  return { origin, path: url.pathname + url.search, destination };
}

/** Returns why a URL would always be refused, as far as can be determined without DNS. */
export function findObjection(allow: EgressAllow, url: string): Unanswered | undefined {
  const judged = judgeUrl(allow, url);
  return judged instanceof EgressError ? unanswered(judged) : undefined;
}

function objectionToHost(allow: EgressAllow, destination: Destination): EgressReason | undefined {
  const { hostname, port } = destination;
  if (hostname === '') return 'url_invalid';
  if (isIP(hostname) !== 0) return objectionToAddress(allow, destination, hostname);
  // A name can resolve to an allowed address; its addresses are checked when connecting.
  if (isHostAllowed(allow, destination) || hasAllowedAddress(allow, port)) return undefined;
  return objectionToPort(destination);
}

/** Returns why this address of the destination is refused; undefined if it is allowed. */
export function objectionToAddress(
  allow: EgressAllow,
  destination: Destination,
  address: string,
): EgressReason | undefined {
  const { port } = destination;
  if (isHostAllowed(allow, destination) || isAddressAllowed(allow, address, port)) return undefined;
  return isPublicAddress(address) ? objectionToPort(destination) : 'address_not_allowed';
}

/** RFC 5321 §4.5.4.2, RFC 6409, RFC 8314, and 2525, the usual alternative where providers block the first. */
const MAIL_PORTS = [25, 465, 587, 2525];

function objectionToPort({ port, isPlain, isMail }: Destination): EgressReason | undefined {
  if (isMail) {
    if (isPlain) return 'tls_required';
    return MAIL_PORTS.includes(port) ? undefined : 'mail_port_not_allowed';
  }
  if (isPlain) return 'scheme_not_allowed';
  return port === 443 ? undefined : 'port_not_allowed';
}

/** Returns the destination of a mail server; undefined if `host` is not a host. */
export function mailDestination(
  host: string,
  port: number,
  isPlain: boolean,
): Destination | undefined {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = URL.parse(`https://${bracketed}`);
  const isHost = url !== null && url.username === '' && url.port === '' && url.pathname === '/';
  if (!isHost) return undefined;
  const hostname = url.hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
  return { hostname, port, isPlain, isMail: true };
}

/** Returns why a mail server would always be refused, as far as can be determined without DNS. */
export function objectionToMailServer(
  allow: EgressAllow,
  destination: Destination | undefined,
): EgressReason | undefined {
  return destination ? objectionToHost(allow, destination) : 'url_invalid';
}

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
