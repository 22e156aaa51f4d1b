import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';

type Kind = OAuthClientRecord['kind'];

/** http to the loopback address, with its port: RFC 8252 §7.3. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?<port>:\d{1,5})?(?=\/|$)/;
/** A reversed domain: RFC 8252 §7.1. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;

/**
 * Why users cannot be sent to an address. @returns undefined if they can
 *
 * Only addresses as browsers write them: others mean different things to different parsers.
 */
export function objectionToRedirectUri(uri: string, kind: Kind): string | undefined {
  if (uri.includes('#')) return 'must have no fragment';
  // Some servers treat it as a pattern.
  if (uri.includes('*')) return 'must not contain *: addresses are compared character by character';
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || url.username !== '' || url.password !== '') {
    return 'must be an address without a user name';
  }
  if (url.href !== uri && url.href !== `${uri}/`) {
    return `must be written as ${JSON.stringify(url.href)}`;
  }
  if (url.protocol === 'https:' || LOOPBACK.test(uri)) return undefined;
  if (kind !== 'native') return 'must begin with https://, or be http to the loopback address';
  return PRIVATE_SCHEME.test(uri)
    ? undefined
    : 'must begin with https://, be http to the loopback address, or have a scheme that contains a dot';
}

/**
 * Whether a request names a registered address: character by character (RFC 9700 §4.1.3), except the port of the
 * loopback address, which a native client gets from its system (RFC 8252 §7.3).
 */
export function isRegistered(registered: readonly string[], kind: Kind, given: string): boolean {
  if (registered.includes(given)) return true;
  if (kind !== 'native') return false;
  const wanted = withoutPort(given);
  return wanted !== undefined && registered.some((uri) => withoutPort(uri) === wanted);
}

/** Whether it is http to the loopback address, whatever the port. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/**
 * Where a redirect URI leads, as users know it: the origin of an https address, the loopback address on any port, or the
 * app that has the scheme.
 */
export function redirectOriginOf(uri: string): string {
  if (isLoopback(uri)) return 'http://localhost';
  const { origin, protocol } = new URL(uri);
  return protocol === 'https:' ? origin : protocol;
}

/** Of an address that leads to the loopback address; nothing for any other. */
function withoutPort(uri: string): string | undefined {
  const found = LOOPBACK.exec(uri);
  if (!found || objectionToRedirectUri(uri, 'native') !== undefined) return undefined;
  const { port = '' } = found.groups ?? {};
  const start = found[0].length;
  return uri.slice(0, start - port.length) + uri.slice(start);
}
