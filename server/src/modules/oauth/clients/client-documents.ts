import { AppError, type FieldError } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import {
  type ClientIdDocument,
  ClientIdDocument as Schema,
} from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { FairCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson, type JsonAnswered } from '../../../platform/egress/json.ts';
import { validator } from '../../../platform/http/validation.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { CompleteMetadata } from './client-metadata.ts';
import { hasSecrets, isLoopback } from './client-rules.ts';

const GRANTS: readonly string[] = ['authorization_code', 'refresh_token', DEVICE_GRANT];

/** The metadata in a document, as far as this service can use it. */
export interface PublishedClient {
  readonly metadata: CompleteMetadata;
  /** Undefined: it names none. */
  readonly scopes: readonly string[] | undefined;
}

const SECRETS = ['client_secret', 'client_secret_expires_at'];

const check = lazy(() => validator(Schema, false));

/** @param value untrusted */
export function judgeDocument(
  address: string,
  value: unknown,
): PublishedClient | { readonly flaws: readonly FieldError[] } {
  if (SECRETS.some((name) => Object.hasOwn(Object(value), name))) {
    return {
      flaws: [
        { path: '/client_secret', message: 'must not be present, because the document is public' },
      ],
    };
  }
  const checked = check()(value);
  if ('error' in checked) {
    const { error } = checked;
    return { flaws: (error instanceof AppError && error.options.errors) || [] };
  }
  const document = checked.value as ClientIdDocument;
  const flaws = flawsOfDocument(document, address);
  return flaws.length > 0 ? { flaws } : publishedBy(document);
}

function publishedBy(document: ClientIdDocument): PublishedClient {
  const {
    scope,
    grant_types: grants = ['authorization_code'],
    token_endpoint_auth_method: authentication = 'none',
    client_id: _,
    response_types: __,
    sector_identifier_uri: ___,
    ...metadata
  } = document;
  const supported = grants.filter((grant) => GRANTS.includes(grant)) as NonNullable<
    CompleteMetadata['grant_types']
  >;
  return {
    metadata: { ...metadata, grant_types: supported, token_endpoint_auth_method: authentication },
    scopes: scope?.split(' ').filter(Boolean),
  };
}

/** draft-ietf-oauth-client-id-metadata-document §4. */
function flawsOfDocument(document: ClientIdDocument, address: string): FieldError[] {
  const { host } = new URL(address);
  const { token_endpoint_auth_method: authentication = 'none', grant_types: grants } = document;
  const flaws: FieldError[] = [];
  const add = (path: string, message: string) => flaws.push({ path, message });
  if (document.client_id !== address) add('/client_id', 'must be the URL of the document');
  // A published secret is not a secret.
  if (hasSecrets(authentication)) {
    add('/token_endpoint_auth_method', 'must be private_key_jwt or none');
  }
  if (document.response_types?.includes('code') === false) {
    add('/response_types', 'must include code');
  }
  if (grants && !grants.some((grant) => GRANTS.includes(grant) && grant !== 'refresh_token')) {
    add('/grant_types', `must include authorization_code or ${DEVICE_GRANT}`);
  }
  for (const name of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    document[name]?.forEach((uri, index) => {
      if (isLoopback(uri) || isAt(host, uri)) return;
      add(`/${name}/${index}`, 'must be on the host of the document or the loopback address');
    });
  }
  const { initiate_login_uri: start } = document;
  if (start !== undefined && !isLoopback(start) && !isAt(host, start)) {
    add('/initiate_login_uri', 'must be on the host of the document or the loopback address');
  }
  return flaws;
}

function isAt(host: string, uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  return url.protocol === 'https:' && url.host === host;
}

/** draft-ietf-oauth-client-id-metadata-document §6.6: documents are small. */
export const FETCH_LIMITS = { timeoutMs: 5000, maxBytes: 5 * 1024 } as const;
/** Limits for the lifetime in cache headers. */
const LIFETIME_SECONDS = { min: 300, max: 86_400 };
/** How long to wait before an unusable document is fetched again. */
const FAILURE_LIFETIME_MS = 60_000;
/** The number of cached documents, each at most 5 KiB, across all tenants and per tenant. */
const CACHED = { max: 1000, maxOfOwner: 200 };
/** Concurrent reads per tenant: hosts that do not respond must not use up the connections of other tenants. */
const MAX_AT_ONCE = 16;

/** The result of the last fetch of a document. */
export interface FetchedDocument {
  readonly published: PublishedClient | undefined;
  /** Why the document cannot be used, without any of its content. */
  readonly problem: string | undefined;
  readonly freshUntilMs: number;
}

/** The documents at client IDs. Each tenant has its own, so that no tenant can observe what another one fetched. */
export class ClientDocuments {
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #cache = new FairCache<TenantId, string, FetchedDocument>(CACHED);
  readonly #inFlight = new Map<TenantId, Map<string, Promise<FetchedDocument>>>();

  constructor(egress: Egress, clock: Clock) {
    this.#egress = egress;
    this.#clock = clock;
  }

  /** The result of the last fetch, even if it is not fresh. */
  cached(tenantId: TenantId, address: string): FetchedDocument | undefined {
    return this.#cache.get(tenantId, address);
  }

  /** A fresh document; undefined if it must be fetched. */
  fresh(tenantId: TenantId, address: string): FetchedDocument | undefined {
    const document = this.#cache.get(tenantId, address);
    return document && document.freshUntilMs > this.#clock.now().getTime() ? document : undefined;
  }

  /** Fetches the document from its host. Concurrent requests of a tenant share one call. */
  async fetch(tenantId: TenantId, address: string): Promise<FetchedDocument> {
    // Another request might have fetched it while this one was being counted.
    const fresh = this.fresh(tenantId, address);
    if (fresh) return fresh;
    const pending = this.#inFlight.get(tenantId) ?? new Map<string, Promise<FetchedDocument>>();
    const shared = pending.get(address);
    if (shared) return shared;
    if (pending.size >= MAX_AT_ONCE) return TOO_BUSY;
    const document = this.#fetchAndCache(tenantId, address).finally(() => {
      pending.delete(address);
      if (pending.size === 0) this.#inFlight.delete(tenantId);
    });
    this.#inFlight.set(tenantId, pending.set(address, document));
    return document;
  }

  async #fetchAndCache(tenantId: TenantId, address: string): Promise<FetchedDocument> {
    const { lifetimeMs, ...fetched } = await this.#fetchOnce(tenantId, address);
    const document = { ...fetched, freshUntilMs: this.#clock.now().getTime() + lifetimeMs };
    this.#cache.set(tenantId, address, document);
    return document;
  }

  async #fetchOnce(onBehalfOf: TenantId, url: string) {
    const failed = (problem: string) => ({
      published: undefined,
      problem,
      lifetimeMs: FAILURE_LIFETIME_MS,
    });
    const response = await getJson(this.#egress, { url, onBehalfOf, ...FETCH_LIMITS });
    if (response.outcome !== 'answered') return failed(response.detail);
    const judged = judgeDocument(url, response.value);
    if ('flaws' in judged) {
      const [flaw] = judged.flaws;
      return failed(flaw ? `${flaw.path.slice(1) || 'It'} ${flaw.message}.` : 'It is malformed.');
    }
    return { published: judged, problem: undefined, lifetimeMs: lifetimeSeconds(response) * 1000 };
  }
}

/** Not cached, because no host was called. */
const TOO_BUSY: FetchedDocument = {
  published: undefined,
  problem: 'Too many documents are being read.',
  freshUntilMs: 0,
};

/** RFC 9111 §5.2.2, within bounds. */
function lifetimeSeconds({ headers }: JsonAnswered): number {
  const control = headers['cache-control'] ?? '';
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(control) ?? [];
  const stated = /no-(?:store|cache)/i.test(control) ? 0 : Number(seconds);
  return Math.min(Math.max(stated, LIFETIME_SECONDS.min), LIFETIME_SECONDS.max);
}

type SectorFields = Pick<OAuthClientRecord, 'redirect_uris' | 'sector_identifier_uri'>;

const LIST_LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 } as const;

/** Concurrent reads per tenant, so that one tenant's unresponsive hosts cannot use up all connections. */
const MAX_LISTS_AT_ONCE = 16;

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
    if (pending >= MAX_LISTS_AT_ONCE) {
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
      return { uri, listed, detail: 'It must be a JSON list of URLs.' };
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
    const message = `is the URL of a list that does not contain /redirect_uris/${index}`;
    return listed.has(uri) ? [] : [{ path: '/sector_identifier_uri', message }];
  });
}
