import { DPOP_ALGORITHMS } from '../../../contract/src/dpop.ts';
import { requireAddress } from '../address.ts';
import { requireScopeNames } from './scope-names.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const MAX_AGE_SECONDS = 3600;

/** The metadata of a resource for clients (RFC 9728 §2). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_name?: string;
  readonly resource_documentation?: string;
  readonly resource_policy_uri?: string;
  readonly resource_tos_uri?: string;
  readonly dpop_signing_alg_values_supported: readonly string[];
  readonly dpop_bound_access_tokens_required: boolean;
}

/** The description of a resource. */
export interface ResourceDescription {
  /**
   * The URI of the resource, character by character as registered with the tenant. Clients send it as `resource`, and
   * it is the `aud` of its tokens. The resource is served at its origin and path.
   */
  readonly resource: string;
  /** The scopes that clients can request. A client without another hint requests all of them. */
  readonly scopes?: readonly string[];
  /** Its name for people. */
  readonly name?: string;
  /** Addresses for people, https. */
  readonly documentation?: string;
  readonly policy?: string;
  readonly terms?: string;
}

/** @throws TypeError for an invalid URL or scope */
export function metadataOf(
  { resource, scopes, name, documentation, policy, terms }: ResourceDescription,
  issuer: string,
  isProofRequired: boolean,
): ResourceMetadata {
  if (scopes) requireScopeNames('scopes', scopes);
  for (const [option, link] of Object.entries({ documentation, policy, terms })) {
    if (link !== undefined) requireAddress(option, link, false);
  }
  return {
    resource,
    authorization_servers: [issuer],
    ...(scopes && { scopes_supported: [...scopes] }),
    bearer_methods_supported: ['header'],
    ...(name !== undefined && { resource_name: name }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
    ...(policy !== undefined && { resource_policy_uri: policy }),
    ...(terms !== undefined && { resource_tos_uri: terms }),
    dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
    dpop_bound_access_tokens_required: isProofRequired,
  };
}

/**
 * Returns the URL of the metadata of a resource: the well-known part is between its host and its path (RFC 9728
 * §3.1).
 *
 * @throws TypeError if the URL is not valid for a resource
 */
export function metadataUrlOf(resource: string, allowHttp: boolean): URL {
  requireAddress('resource', resource, allowHttp);
  const { origin, pathname, search, hash, username, password } = new URL(resource);
  if (search + hash + username + password !== '' || /[?#]/.test(resource)) {
    throw new TypeError(`Expected resource to have no user, query or fragment, got ${resource}.`);
  }
  return new URL(`${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`);
}

/** The response at the URL of the metadata. */
export interface MetadataAnswer {
  readonly status: 200 | 204 | 405;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Scripts of every origin can read the metadata, because it is public and its requests have no credentials. */
const OPEN = { 'access-control-allow-origin': '*' };
const ALLOWED = 'GET, HEAD, OPTIONS';

/** The response to a request for the metadata, for frameworks without an adapter. */
export function metadataAnswer(
  { metadata }: { readonly metadata: ResourceMetadata },
  method: string,
): MetadataAnswer {
  if (method === 'OPTIONS') {
    const headers = {
      ...OPEN,
      'access-control-allow-methods': ALLOWED,
      // MCP clients send the version of their protocol in a header.
      'access-control-allow-headers': '*',
      'access-control-max-age': String(MAX_AGE_SECONDS),
    };
    return { status: 204, headers, body: '' };
  }
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { ...OPEN, allow: ALLOWED }, body: '' };
  }
  const headers = {
    ...OPEN,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
  };
  return { status: 200, headers, body: JSON.stringify(metadata) };
}
