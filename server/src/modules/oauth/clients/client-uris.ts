import type { Fail, FieldError } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';

type Kind = OAuthClientRecord['kind'];

/** http to the loopback address, with its port: RFC 8252 §7.3. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?<port>:\d{1,5})?(?=\/|$)/;
/** A reversed domain: RFC 8252 §7.1. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;

/**
 * Returns why an address cannot be a redirect URI. @returns undefined if it can
 *
 * Only addresses in the form that browsers write are allowed: parsers disagree about other forms.
 */
export function objectionToRedirectUri(uri: string, kind: Kind): string | undefined {
  if (uri.includes('#')) return 'must have no fragment';
  // Some servers treat `*` as a pattern.
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
 * Whether a request names a registered address. Addresses are compared character by character (RFC 9700 §4.1.3),
 * except the port of the loopback address, which the operating system assigns to a native client (RFC 8252 §7.3).
 */
export function isRegistered(
  registered: readonly string[],
  kind: Kind,
  requested: string,
): boolean {
  if (registered.includes(requested)) return true;
  if (kind !== 'native') return false;
  const address = withoutPort(requested);
  return address !== undefined && registered.some((uri) => withoutPort(uri) === address);
}

/** Whether the URI is http to the loopback address, on any port. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/**
 * Returns the destination of a redirect URI as users know it: the origin of an https address, the loopback address on
 * any port, or the app that has the scheme.
 */
export function redirectOriginOf(uri: string): string {
  if (isLoopback(uri)) return 'http://localhost';
  const { origin, protocol } = new URL(uri);
  return protocol === 'https:' ? origin : protocol;
}

/** Returns a loopback http URI without its port; undefined for any other URI. */
function withoutPort(uri: string): string | undefined {
  const found = LOOPBACK.exec(uri);
  if (!found || objectionToRedirectUri(uri, 'native') !== undefined) return undefined;
  const { port = '' } = found.groups ?? {};
  const start = found[0].length;
  return uri.slice(0, start - port.length) + uri.slice(start);
}

/** The fields with addresses that the service calls. */
const CALLED = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri'] as const;

/** Rejects addresses that can never be called. Host names are resolved at each call. */
export function requireCallable(
  egress: Pick<Egress, 'findObjection'>,
  client: Partial<Pick<OAuthClientRecord, (typeof CALLED)[number]>>,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = CALLED.flatMap((name): FieldError[] => {
    const objection = objectionTo(egress, client[name] ?? undefined);
    const message = `cannot be called. ${objection}`;
    return objection === undefined ? [] : [{ path: `/${name}`, message }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * OpenID Connect Back-Channel Logout §2.2: the URI must not have a fragment, since an HTTP request cannot contain it.
 */
function objectionTo(
  egress: Pick<Egress, 'findObjection'>,
  uri: string | undefined,
): string | undefined {
  if (uri === undefined) return undefined;
  return uri.includes('#') ? 'It must have no fragment.' : egress.findObjection(uri)?.detail;
}

type SectorFields = Pick<OAuthClientRecord, 'redirect_uris' | 'sector_identifier_uri'>;

const LIST_LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 } as const;
/** Concurrent reads per tenant, so that one tenant's unresponsive hosts cannot use up all connections. */
const MAX_AT_ONCE = 16;

/** The list at the `sector_identifier_uri` of a client. */
export interface SectorList {
  readonly uri: string;
  /** Undefined if the list could not be read. */
  readonly listed: ReadonlySet<unknown> | undefined;
  /** Why the list could not be read, or is malformed. */
  readonly detail: string;
}

/** Reads lists of redirect URIs. Never throws on errors of the host, and does not follow redirects. */
export class SectorLists {
  readonly #egress: Egress;
  readonly #inFlight = new Map<TenantId, number>();

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  async fetch(tenantId: TenantId, uri: string): Promise<SectorList> {
    const pending = this.#inFlight.get(tenantId) ?? 0;
    if (pending >= MAX_AT_ONCE) {
      return { uri, listed: undefined, detail: 'Too many lists are being read.' };
    }
    this.#inFlight.set(tenantId, pending + 1);
    try {
      const answer = await getJson(this.#egress, {
        url: uri,
        onBehalfOf: tenantId,
        ...LIST_LIMITS,
      });
      if (answer.outcome !== 'answered') return { uri, listed: undefined, detail: answer.detail };
      const { value } = answer;
      const listed = Array.isArray(value) ? new Set<unknown>(value) : undefined;
      return { uri, listed, detail: 'It has to be a JSON list of addresses.' };
    } finally {
      const left = (this.#inFlight.get(tenantId) ?? 1) - 1;
      if (left === 0) this.#inFlight.delete(tenantId);
      else this.#inFlight.set(tenantId, left);
    }
  }
}

/** Whether a change can alter pairwise subjects, so that the list must be read. */
export function changesSector(change: Partial<SectorFields>): boolean {
  return change.redirect_uris !== undefined || change.sector_identifier_uri !== undefined;
}

/**
 * OpenID Connect Registration §5: the list must contain all redirect URIs. Otherwise any client could claim the
 * subjects of a host.
 */
export function flawsOfSector(
  { redirect_uris: uris }: Pick<SectorFields, 'redirect_uris'>,
  list: SectorList | undefined,
): FieldError[] {
  if (!list) return [];
  const { listed, detail } = list;
  if (!listed) {
    return [{ path: '/sector_identifier_uri', message: `cannot be read. ${detail}` }];
  }
  return uris.flatMap((uri, index) => {
    const message = `leads to a list without /redirect_uris/${index}`;
    return listed.has(uri) ? [] : [{ path: '/sector_identifier_uri', message }];
  });
}
