import { AppError, type FieldError } from '@keywright/contract/errors';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import {
  type ClientIdDocument,
  ClientIdDocument as Schema,
} from '@keywright/contract/records/client-metadata';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { lazy } from '../../../platform/lazy.ts';
import { validator } from '../../../platform/http/validation.ts';
import type { Said } from './metadata.ts';
import { isLoopback } from './redirect-uris.ts';
import { hasSecrets } from './rules.ts';

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
