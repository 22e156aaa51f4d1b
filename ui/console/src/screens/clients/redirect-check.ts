// Whether the service would redirect users to an address, by the service's own rule: the address is one of the
// registered ones, character by character (RFC 9700 §4.1.3), or, for a native client, differs from one only in the
// port of the loopback address (RFC 8252 §7.3).

import type { OAuthClient } from '@keywright/sdk';

/** The parts of an address, in order. */
const PARTS = ['scheme', 'user', 'host', 'port', 'path', 'query', 'fragment'] as const;
type Part = (typeof PARTS)[number];
type Parts = Readonly<Record<Part, string>>;

/** A part of the address, or a mistake that has its own name. */
type Reason = Part | 'slash' | 'case';

export interface Difference {
  readonly reason: Reason;
  /** Empty: that part is missing. */
  readonly sent: string;
  readonly registered: string;
}

export type Checked =
  | { readonly outcome: 'accepted' | 'anyPort'; readonly nearest: string }
  | { readonly outcome: 'differs'; readonly nearest: string; readonly differences: Difference[] }
  | { readonly outcome: 'noneRegistered' | 'encoded' | 'notAddress' };

type Client = Pick<OAuthClient, 'kind' | 'redirect_uris'>;

/** @param sent the value of redirect_uri, as the service reads it */
export function checkRedirectUri(
  { kind, redirect_uris: registered }: Client,
  sent: string,
): Checked {
  if (registered.includes(sent)) return { outcome: 'accepted', nearest: sent };
  const portless = kind === 'native' ? withoutPort(sent) : undefined;
  const same = registered.find((uri) => portless !== undefined && withoutPort(uri) === portless);
  if (same !== undefined) return { outcome: 'anyPort', nearest: same };
  if (/^[a-z][a-z\d+.-]*%3a/i.test(sent)) return { outcome: 'encoded' };
  const parts = partsOf(sent);
  if (!parts) return { outcome: 'notAddress' };
  const [nearest] = registered
    .map((uri) => ({
      uri,
      differences: differencesOf(parts, partsOf(uri), portless !== undefined),
    }))
    .toSorted((a, b) => a.differences.length - b.differences.length);
  if (!nearest) return { outcome: 'noneRegistered' };
  return { outcome: 'differs', nearest: nearest.uri, differences: nearest.differences };
}

/** Browsers ignore upper case in a scheme or a host, but a comparison of characters does not. */
const ADDRESS =
  /^(?<scheme>[a-z][a-z\d+.-]*:)(?:(?<slashes>\/\/)(?<user>[^/?#]*@)?(?<host>\[[^\]]*\]|[^/?#:]*)(?<port>:[^/?#]*)?)?(?<path>[^?#]*)(?<query>\?[^#]*)?(?<fragment>#.*)?$/i;

/** Splits an address into its parts (RFC 3986 appendix B); undefined if it is not absolute. */
function partsOf(uri: string): Parts | undefined {
  const found = ADDRESS.exec(uri)?.groups;
  if (!found) return undefined;
  const { scheme = '', slashes = '', user = '', host = '', port = '' } = found;
  const { path = '', query = '', fragment = '' } = found;
  return { scheme: `${scheme}${slashes}`, user, host, port, path, query, fragment };
}

/** @param isLoopback the port has no meaning if the registered address is also a loopback address */
function differencesOf(sent: Parts, registered: Parts | undefined, isLoopback: boolean) {
  if (!registered) return [];
  return PARTS.flatMap((part): Difference[] => {
    const [actual, other] = [sent[part], registered[part]];
    if (
      actual === other ||
      (part === 'port' && isLoopback && LOOPBACK_HOSTS.has(registered.host))
    ) {
      return [];
    }
    return [{ reason: reasonOf(part, actual, other), sent: actual, registered: other }];
  });
}

function reasonOf(part: Part, sent: string, registered: string): Reason {
  if (part === 'path' && (sent === `${registered}/` || registered === `${sent}/`)) return 'slash';
  return sent.toLowerCase() === registered.toLowerCase() ? 'case' : part;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Returns an http loopback address without its port, if written as browsers write it; undefined for any other
 * address.
 */
function withoutPort(uri: string): string | undefined {
  const parts = partsOf(uri);
  if (!parts || parts.scheme !== 'http://' || !LOOPBACK_HOSTS.has(parts.host)) return undefined;
  if (parts.user !== '' || uri.includes('#') || !isAsBrowsersWrite(uri)) return undefined;
  return `${parts.host}${parts.path}${parts.query}`;
}

function isAsBrowsersWrite(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { href } = new URL(uri);
  return href === uri || href === `${uri}/`;
}
