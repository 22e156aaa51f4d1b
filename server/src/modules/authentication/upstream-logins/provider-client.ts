import { createPrivateKey, sign } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';
import {
  issuerTemplate,
  type Provider,
  type ProviderSettings,
} from '../identity-providers/index.ts';

/** A login that the provider did not confirm, or an unusable response. The reason is for the audit log. */
export class UpstreamRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The identity provider cannot be used: ${reason}`);
    this.name = 'UpstreamRefused';
    this.reason = reason;
  }
}

/** The limits of one call to a provider. */
export const CALL_LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

/** The metadata of a provider (OpenID Connect Discovery 1.0 §3). */
export interface Metadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string | undefined;
  /** Undefined: `client_secret_basic`. */
  readonly authMethods: readonly string[] | undefined;
  /** Whether authorization responses contain `iss` (RFC 9207 §3). */
  readonly returnsIssuer: boolean;
}

interface CachedMetadata {
  readonly metadata: Promise<Metadata>;
  goodUntilMs: number;
}

/** The capacity of the tenant cache. Half of it is guaranteed, and metadata beyond it is fetched for each login. */
const MAX_CACHED = 25_000;
const LIFE_MS = 10 * 60 * 1000;
/** How long the failure of an unreachable provider is cached. */
const FAILURE_LIFE_MS = 10_000;

interface AccessToken {
  readonly tenantId: TenantId;
  readonly accessToken: string;
}

/** Calls the endpoints of identity providers. */
export class ProviderClient {
  readonly #egress: Egress;
  readonly #clock: Clock;
  /** Keyed by tenant, so that no tenant can observe what another tenant has fetched, or when. */
  readonly #cache = new Cache<string, CachedMetadata>(MAX_CACHED);

  constructor(egress: Egress, clock: Clock) {
    this.#egress = egress;
    this.#clock = clock;
  }

  /**
   * Returns the metadata of a provider, fetched on demand and cached. Concurrent logins share the response.
   * @throws UpstreamRefused
   */
  async findMetadata(provider: Provider): Promise<Metadata> {
    const fixed = fixedMetadata(provider);
    if (fixed) return fixed;
    const { tenantId, type, settings } = provider;
    const place = `${tenantId} ${type} ${settings.issuer}`;
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cache.get(place);
    if (cached && cached.goodUntilMs > nowMs) return cached.metadata;
    const fetched: CachedMetadata = {
      metadata: fetchMetadata(this.#egress, provider),
      goodUntilMs: nowMs + LIFE_MS,
    };
    fetched.metadata.catch(() => {
      fetched.goodUntilMs = nowMs + FAILURE_LIFE_MS;
    });
    this.#cache.set(place, fetched);
    return fetched.metadata;
  }

  /** Exchanges the code of an authorization response. @throws UpstreamRefused */
  async exchangeCode(exchange: Exchange): Promise<UpstreamTokens> {
    // Loaded by the first login at a provider.
    const oauth = await import('oauth4webapi');
    const { tenantId, metadata, clientId, clientSecret, redirectUri, verifier } = exchange;
    const server = {
      issuer: metadata.issuer,
      token_endpoint: metadata.tokenEndpoint,
      authorization_response_iss_parameter_supported: metadata.returnsIssuer,
    };
    const client = { client_id: clientId };
    const parameters = new URLSearchParams(
      Object.entries(exchange.response).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    );
    const isBasic = metadata.authMethods?.includes('client_secret_basic') ?? true;
    const authentication = isBasic ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
    try {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientSecret === undefined ? oauth.None() : authentication(clientSecret),
        // Checks `iss` (RFC 9207).
        oauth.validateAuthResponse(server, client, parameters, exchange.response.state),
        redirectUri,
        verifier,
        {
          [oauth.customFetch]: fetchThrough(this.#egress, tenantId),
          // The egress decides which hosts can be called without TLS.
          [oauth.allowInsecureRequests]: true,
        },
      );
      return tokensOf(response.status, await readJson(response));
    } catch (error) {
      throw error instanceof UpstreamRefused ? error : new UpstreamRefused(reasonOf(error));
    }
  }

  /** @throws UpstreamRefused */
  async readProfile(
    access: AccessToken,
    { userinfo_endpoint: url, subject_claim: claim }: ProfileEndpoint,
  ): Promise<Profile> {
    const claims = objectOf(await this.#read(access, url ?? ''));
    return { subject: subjectOf(claims[claim ?? 'sub']), claims };
  }

  /** The addresses are read from a separate list, because the profile shows any public address. */
  async readGithubProfile(access: AccessToken, issuer: string): Promise<Profile> {
    const api = githubApi(issuer);
    const { id } = objectOf(await this.#read(access, `${api}/user`));
    const emails = await this.#read(access, `${api}/user/emails`);
    const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
    const primary = all.map(objectOf).find((email) => email['primary'] === true);
    const claims = { email: primary?.['email'], email_verified: primary?.['verified'] === true };
    return { subject: subjectOf(id), claims };
  }

  async #read({ tenantId, accessToken }: AccessToken, url: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const request = { url, headers, onBehalfOf: tenantId, ...CALL_LIMITS };
    const answer = await getJson(this.#egress, request);
    if (answer.outcome !== 'answered') throw new UpstreamRefused(`profile_${answer.reason}`);
    return answer.value;
  }
}

/** The metadata of providers without discovery. */
function fixedMetadata({ type, settings }: Provider): Metadata | undefined {
  const { issuer, authorization_endpoint: authorization, token_endpoint: token } = settings;
  const rest = { issuer, returnsIssuer: false, userinfoEndpoint: undefined };
  if (type === 'github') {
    return {
      ...rest,
      authorizationEndpoint: `${issuer}/login/oauth/authorize`,
      tokenEndpoint: `${issuer}/login/oauth/access_token`,
      authMethods: ['client_secret_post'],
    };
  }
  if (type !== 'oauth2') return undefined;
  return {
    ...rest,
    authorizationEndpoint: endpointOf(issuer, authorization),
    tokenEndpoint: endpointOf(issuer, token),
    authMethods: undefined,
  };
}

async function fetchMetadata(
  egress: Egress,
  { tenantId, type, settings: { issuer } }: Provider,
): Promise<Metadata> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await getJson(egress, { url, onBehalfOf: tenantId, ...CALL_LIMITS });
  if (answer.outcome !== 'answered') throw new UpstreamRefused(`discovery_${answer.reason}`);
  return readMetadata(type === 'microsoft' ? issuerTemplate(issuer) : issuer, answer.value);
}

/** @throws UpstreamRefused for another issuer's document, or endpoints without TLS unless the issuer has none */
function readMetadata(issuer: string, document: unknown): Metadata {
  const fields = (typeof document === 'object' && document !== null ? document : {}) as Readonly<
    Record<string, unknown>
  >;
  // Otherwise an issuer could impersonate another one (OpenID Connect Discovery 1.0 §4.3).
  if (fields['issuer'] !== issuer) throw new UpstreamRefused('discovery_issuer');
  const methods = fields['token_endpoint_auth_methods_supported'];
  return {
    issuer,
    authorizationEndpoint: endpointOf(issuer, fields['authorization_endpoint']),
    tokenEndpoint: endpointOf(issuer, fields['token_endpoint']),
    userinfoEndpoint:
      fields['userinfo_endpoint'] === undefined
        ? undefined
        : endpointOf(issuer, fields['userinfo_endpoint']),
    authMethods: Array.isArray(methods)
      ? methods.filter((method): method is string => typeof method === 'string')
      : undefined,
    returnsIssuer: fields['authorization_response_iss_parameter_supported'] === true,
  };
}

function endpointOf(issuer: string, value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2048 ? URL.parse(value) : null;
  const isPlain = url?.protocol === 'http:' && issuer.startsWith('http:');
  if (!url || (url.protocol !== 'https:' && !isPlain)) {
    throw new UpstreamRefused('discovery_endpoint');
  }
  return url.href;
}

/** The parameters of the redirect from a provider (RFC 6749 §4.1.2). */
export interface AuthorizationResponse {
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
}

interface Exchange {
  readonly tenantId: TenantId;
  readonly metadata: Metadata;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly response: AuthorizationResponse;
}

/** The response of the token endpoint. */
interface UpstreamTokens {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
}

const MAX_TOKEN_LENGTH = 64 * 1024;

function tokensOf(status: number, answer: Readonly<Record<string, unknown>>): UpstreamTokens {
  if (status !== 200) throw new UpstreamRefused(`token_status_${status}`);
  const { id_token: idToken, access_token: accessToken } = answer;
  return { idToken: textOf(idToken), accessToken: textOf(accessToken) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TOKEN_LENGTH ? value : undefined;
}

async function readJson(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => undefined);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The library reports errors by a code. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code.toLowerCase().slice(0, 64);
}

interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams;
}

function fetchThrough(egress: Egress, tenantId: TenantId) {
  return async (url: string, { headers, body }: FetchOptions): Promise<Response> => {
    const { 'user-agent': _, ...rest } = headers;
    const answer = await egress.send({
      method: 'POST',
      url,
      onBehalfOf: tenantId,
      headers: rest,
      body: body.toString(),
      ...CALL_LIMITS,
    });
    if (answer.outcome !== 'answered') throw new UpstreamRefused(`token_${answer.reason}`);
    // RFC 9110 §15: these statuses have no body, and `Response` does not accept one.
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status });
  };
}

/** A user's profile at a provider without ID tokens, in the claims of OpenID Connect. */
interface Profile {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

type ProfileEndpoint = Pick<ProviderSettings, 'userinfo_endpoint' | 'subject_claim'>;

type Json = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;

/** The API of an organization's own server is below the server's URL. */
function githubApi(issuer: string): string {
  return issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Refuses numbers that JSON cannot represent exactly, because two users could become one. */
function subjectOf(value: unknown): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_SUBJECT) {
    throw new UpstreamRefused('profile_subject');
  }
  return text;
}

const LIFE_SECONDS = 300;

interface AppleClient {
  readonly clientId: string;
  readonly issuer: string;
  readonly team_id: string | null;
  readonly key_id: string | null;
}

/** The client secret of one call: signed with the key of the team. @param keyFile PKCS #8, in PEM */
export function appleSecret(
  { clientId, issuer, team_id, key_id }: AppleClient,
  keyFile: string,
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: team_id, iat, exp: iat + LIFE_SECONDS, aud: issuer, sub: clientId };
  const input = [{ alg: 'ES256', kid: key_id }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    const key = createPrivateKey(keyFile);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error('The curve is not supported.');
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  } catch {
    throw new UpstreamRefused('client_key');
  }
}
