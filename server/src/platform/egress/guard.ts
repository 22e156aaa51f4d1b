import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import {
  type Destination,
  type EgressAllow,
  isAddressAllowed,
  isHostAllowed,
  someAddressIsAllowed,
} from './allow.ts';
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
  if (isHostAllowed(allow, destination) || someAddressIsAllowed(allow, port)) return undefined;
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
