import { AppError, type FieldError } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import {
  type ClientIdDocument,
  ClientIdDocument as Schema,
} from '@keywright/contract/records/client-metadata';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { FairCache } from '../../../platform/cache/fair-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson, type JsonAnswered } from '../../../platform/egress/json.ts';
import { validator } from '../../../platform/http/validation.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Said } from './client-metadata.ts';
import { hasSecrets } from './client-rules.ts';
import { isLoopback } from './client-uris.ts';

const GRANTS: readonly string[] = ['authorization_code', 'refresh_token', DEVICE_GRANT];

/**
 * The address of a document that is a client id (draft-ietf-oauth-client-id-metadata-document §3). @returns undefined
 * unless it is one, written as browsers write it
 */
export function documentAddress(named: string): URL | undefined {
  if (!named.startsWith('https://') || named.length > 512 || !URL.canParse(named)) return undefined;
  const url = new URL(named);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  // Dot segments are resolved, and an odd host rewritten: what differs is not an id.
  const isExact = url.href === named && !/[?#@\\]|%2e/i.test(named);
  const isHost = !url.hostname.endsWith('.');
  return isBare && isExact && isHost && url.pathname !== '/' ? url : undefined;
}

/** Whether applications at this host may log users of the tenant in. */
export function isHostListed(
  { oauth_client_domains: domains }: Pick<TenantConfig, 'oauth_client_domains'>,
  { hostname }: URL,
): boolean {
  return domains.includes(hostname);
}

type Policy = Pick<TenantConfig, 'oauth_metadata_documents' | 'oauth_client_domains'>;

/** Whether the tenant lets a client be: one that was registered always, a document by its policy. */
export function isLet(config: Policy, id: string): boolean {
  if (!id.startsWith('https://')) return true;
  const url = documentAddress(id);
  if (!url || config.oauth_metadata_documents === 'off') return false;
  return config.oauth_metadata_documents === 'any' || isHostListed(config, url);
}

/** What a document says, as far as it can be used here. */
export interface Published {
  readonly said: Said;
  /** Undefined: it names none. */
  readonly scopes: readonly string[] | undefined;
}

const SECRETS = ['client_secret', 'client_secret_expires_at'];

const check = lazy(() => validator(Schema, false));

/** @param value untrusted */
export function judgeDocument(
  address: string,
  value: unknown,
): Published | { readonly flaws: readonly FieldError[] } {
  if (SECRETS.some((name) => Object.hasOwn(Object(value), name))) {
    return {
      flaws: [{ path: '/client_secret', message: 'must not be there: everybody can read it' }],
    };
  }
  const checked = check()(value);
  if ('error' in checked) {
    const { error } = checked;
    return { flaws: (error instanceof AppError && error.options.errors) || [] };
  }
  const document = checked.value as ClientIdDocument;
  const flaws = flawsIn(document, address);
  return flaws.length > 0 ? { flaws } : publishedIn(document);
}

function publishedIn(document: ClientIdDocument): Published {
  const {
    scope,
    grant_types: grants = ['authorization_code'],
    token_endpoint_auth_method: authentication = 'none',
    client_id: _,
    response_types: __,
    sector_identifier_uri: ___,
    ...said
  } = document;
  const known = grants.filter((one) => GRANTS.includes(one)) as NonNullable<Said['grant_types']>;
  return {
    said: { ...said, grant_types: known, token_endpoint_auth_method: authentication },
    scopes: scope?.split(' ').filter(Boolean),
  };
}

/** draft-ietf-oauth-client-id-metadata-document §4. */
function flawsIn(document: ClientIdDocument, address: string): FieldError[] {
  const { host } = new URL(address);
  const { token_endpoint_auth_method: authentication = 'none', grant_types: grants } = document;
  const flaws: FieldError[] = [];
  const add = (path: string, message: string) => flaws.push({ path, message });
  if (document.client_id !== address) add('/client_id', 'must be the address of the document');
  // A secret that everybody can read is none.
  if (hasSecrets(authentication)) {
    add('/token_endpoint_auth_method', 'must be private_key_jwt or none');
  }
  if (document.response_types?.includes('code') === false) {
    add('/response_types', 'must include code');
  }
  if (grants && !grants.some((one) => GRANTS.includes(one) && one !== 'refresh_token')) {
    add('/grant_types', `must include authorization_code or ${DEVICE_GRANT}`);
  }
  for (const name of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    document[name]?.forEach((uri, index) => {
      if (isLoopback(uri) || isAt(host, uri)) return;
      add(`/${name}/${index}`, 'must be at the host of the document, or at the loopback address');
    });
  }
  const { initiate_login_uri: start } = document;
  if (start !== undefined && !isLoopback(start) && !isAt(host, start)) {
    add('/initiate_login_uri', 'must be at the host of the document, or at the loopback address');
  }
  return flaws;
}

function isAt(host: string, uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  return url.protocol === 'https:' && url.host === host;
}

/** draft-ietf-oauth-client-id-metadata-document §6.6: documents are small. */
const LIMITS = { timeoutMs: 5000, maxBytes: 5 * 1024 } as const;
/** Whatever the cache headers say, in seconds. */
const LIFE_SECONDS = { min: 300, max: 86_400 };
/** What cannot be used is not read again before this has passed. */
const FAILURE_KEPT_MS = 60_000;
/** Documents of at most 5 KiB, over all tenants and of one. */
const KEPT = { max: 1000, maxOfOwner: 200 };
/** Reads of one tenant at a time: silent hosts of one must not use up the connections of all. */
const MAX_AT_ONCE = 16;

/** A document as it was read last. */
export interface ReadDocument {
  readonly published: Published | undefined;
  /** Why it cannot be used, without anything of it. */
  readonly problem: string | undefined;
  readonly goodUntilMs: number;
}

/** The documents at addresses that are client ids. */
interface Documents {
  /** As it was read last, however long ago. */
  kept(tenantId: TenantId, address: string): ReadDocument | undefined;
  /** The same while it is good; undefined: it has to be read. */
  known(tenantId: TenantId, address: string): ReadDocument | undefined;
  /** Calls the host. Concurrent reads of a tenant share one call. */
  read(tenantId: TenantId, address: string): Promise<ReadDocument>;
}

export function createDocuments(egress: Egress, clock: Clock): Documents {
  // By tenant: none may observe what another one has read, or when.
  const kept = new FairCache<TenantId, string, ReadDocument>(KEPT);
  const inFlight = new Map<TenantId, Map<string, Promise<ReadDocument>>>();

  async function readAndKeep(tenantId: TenantId, address: string): Promise<ReadDocument> {
    const { lifeMs, ...found } = await fetchDocument(egress, tenantId, address);
    const document = { ...found, goodUntilMs: clock.now().getTime() + lifeMs };
    kept.set(tenantId, address, document);
    return document;
  }

  function known(tenantId: TenantId, address: string): ReadDocument | undefined {
    const document = kept.get(tenantId, address);
    return document && document.goodUntilMs > clock.now().getTime() ? document : undefined;
  }

  return {
    kept: (tenantId, address) => kept.get(tenantId, address),
    known,
    async read(tenantId, address) {
      // Somebody else may have read it while this request was counted.
      const good = known(tenantId, address);
      if (good) return good;
      const pending = inFlight.get(tenantId) ?? new Map<string, Promise<ReadDocument>>();
      const already = pending.get(address);
      if (already) return already;
      if (pending.size >= MAX_AT_ONCE) return TOO_BUSY;
      const answer = readAndKeep(tenantId, address).finally(() => {
        pending.delete(address);
        if (pending.size === 0) inFlight.delete(tenantId);
      });
      inFlight.set(tenantId, pending.set(address, answer));
      return answer;
    },
  };
}

/** Not kept: nothing was asked. */
const TOO_BUSY: ReadDocument = {
  published: undefined,
  problem: 'Too many documents are being read.',
  goodUntilMs: 0,
};

async function fetchDocument(egress: Egress, onBehalfOf: TenantId, url: string) {
  const failed = (problem: string) => ({ published: undefined, problem, lifeMs: FAILURE_KEPT_MS });
  const answer = await getJson(egress, { url, onBehalfOf, ...LIMITS });
  if (answer.outcome !== 'answered') return failed(answer.detail);
  const judged = judgeDocument(url, answer.value);
  if ('flaws' in judged) {
    const [flaw] = judged.flaws;
    return failed(flaw ? `${flaw.path.slice(1) || 'It'} ${flaw.message}.` : 'It is malformed.');
  }
  return { published: judged, problem: undefined, lifeMs: lifeSeconds(answer) * 1000 };
}

/** RFC 9111 §5.2.2, within bounds. */
function lifeSeconds({ headers }: JsonAnswered): number {
  const wish = headers['cache-control'] ?? '';
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(wish) ?? [];
  const asked = /no-(?:store|cache)/i.test(wish) ? 0 : Number(seconds);
  return Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max);
}
