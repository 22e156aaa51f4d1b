import { createPrivateKey, sign } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';
import { issuerTemplate, type Provider, type ProviderSettings } from './provider-settings.ts';

/** A login that the provider did not confirm, or whose answer cannot be used. The reason is for the audit log. */
export class UpstreamRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The identity provider cannot be used: ${reason}`);
    this.name = 'UpstreamRefused';
    this.reason = reason;
  }
}

/** For one call to a provider. */
const CALL_LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

/** What a provider says about itself (OpenID Connect Discovery 1.0 §3). */
export interface Metadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string | undefined;
  /** Undefined: `client_secret_basic`. */
  readonly authMethods: readonly string[] | undefined;
  /** RFC 9207 §3. */
  readonly tellsIssuer: boolean;
}

/** @throws UpstreamRefused */
export type FindMetadata = (provider: Provider) => Promise<Metadata>;

interface Kept {
  readonly metadata: Promise<Metadata>;
  goodUntilMs: number;
}

/** As many as tenants are remembered: half of them are kept for sure, and a provider that is not is asked at each login. */
const MAX_KEPT = 25_000;
const LIFE_MS = 10 * 60 * 1000;
/** A provider that cannot be reached is not asked again before this has passed. */
const FAILURE_KEPT_MS = 10_000;

/** Fetched on demand, and cached; concurrent logins share the answer. */
export function createFindMetadata(egress: Egress, clock: Clock): FindMetadata {
  // By tenant, too: none can observe what another one has fetched, or when.
  const known = createCache<string, Kept>(MAX_KEPT);
  return async (provider) => {
    const { tenantId, type } = provider;
    const { issuer } = provider.settings;
    const fixed = fixedMetadata(provider);
    if (fixed) return fixed;
    const place = `${tenantId} ${type} ${issuer}`;
    const nowMs = clock.now().getTime();
    const found = known.get(place);
    if (found && found.goodUntilMs > nowMs) return found.metadata;
    const kept: Kept = {
      metadata: fetchMetadata(egress, provider),
      goodUntilMs: nowMs + LIFE_MS,
    };
    kept.metadata.catch(() => {
      kept.goodUntilMs = nowMs + FAILURE_KEPT_MS;
    });
    known.set(place, kept);
    return kept.metadata;
  };
}

/** Of providers without discovery. */
function fixedMetadata({ type, settings }: Provider): Metadata | undefined {
  const { issuer, authorization_endpoint: authorization, token_endpoint: token } = settings;
  const rest = { issuer, tellsIssuer: false, userinfoEndpoint: undefined };
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

/** @throws UpstreamRefused for the document of another issuer, or one without TLS where the issuer has it */
function readMetadata(issuer: string, document: unknown): Metadata {
  const fields = (typeof document === 'object' && document !== null ? document : {}) as Readonly<
    Record<string, unknown>
  >;
  // Or one issuer could speak for another (OpenID Connect Discovery 1.0 §4.3).
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
      ? methods.filter((one): one is string => typeof one === 'string')
      : undefined,
    tellsIssuer: fields['authorization_response_iss_parameter_supported'] === true,
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

/** The parameters of a return from a provider. */
export interface Returned {
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
  readonly returned: Returned;
}

/** What the token endpoint answered. */
interface UpstreamTokens {
  readonly idToken: string | undefined;
  readonly accessToken: string | undefined;
}

const MAX_TOKEN_LENGTH = 64 * 1024;

/** Exchanges the code of a return. @throws UpstreamRefused */
export async function exchangeCode(egress: Egress, exchange: Exchange): Promise<UpstreamTokens> {
  // Loaded by the first login at a provider.
  const oauth = await import('oauth4webapi');
  const { tenantId, metadata, clientId, clientSecret, redirectUri, verifier, returned } = exchange;
  const server = {
    issuer: metadata.issuer,
    token_endpoint: metadata.tokenEndpoint,
    authorization_response_iss_parameter_supported: metadata.tellsIssuer,
  };
  const client = { client_id: clientId };
  const parameters = new URLSearchParams(
    Object.entries(returned).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const isBasic = metadata.authMethods?.includes('client_secret_basic') ?? true;
  const authentication = isBasic ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientSecret === undefined ? oauth.None() : authentication(clientSecret),
      // Checks `iss` (RFC 9207).
      oauth.validateAuthResponse(server, client, parameters, returned.state),
      redirectUri,
      verifier,
      {
        [oauth.customFetch]: fetchThrough(egress, tenantId),
        // The egress decides which hosts may be called without TLS.
        [oauth.allowInsecureRequests]: true,
      },
    );
    return tokensOf(response.status, await readJson(response));
  } catch (error) {
    throw error instanceof UpstreamRefused ? error : new UpstreamRefused(reasonOf(error));
  }
}

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

/** The library names what it rejects by a code. */
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
    const { 'user-agent': _, ...own } = headers;
    const answer = await egress.send({
      method: 'POST',
      url,
      onBehalfOf: tenantId,
      headers: own,
      body: body.toString(),
      ...CALL_LIMITS,
    });
    if (answer.outcome !== 'answered') throw new UpstreamRefused(`token_${answer.reason}`);
    // RFC 9110 §15: these have no body, which `Response` insists on.
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status });
  };
}

/** A user as a provider without ID tokens describes them, in the claims of OpenID Connect. */
interface Profile {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

interface Read {
  readonly egress: Egress;
  readonly tenantId: TenantId;
  readonly accessToken: string;
}

type Located = Pick<ProviderSettings, 'userinfo_endpoint' | 'subject_claim'>;

type Json = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;

/** @throws UpstreamRefused */
export async function readProfile(
  read: Read,
  { userinfo_endpoint: url, subject_claim: claim }: Located,
): Promise<Profile> {
  const claims = objectOf(await call(read, url ?? ''));
  return { subject: subjectOf(claims[claim ?? 'sub']), claims };
}

/** Addresses are those of a separate list: the profile shows a public one, which may be anything. */
export async function readGithubProfile(read: Read, api: string): Promise<Profile> {
  const { id } = objectOf(await call(read, `${api}/user`));
  const emails = await call(read, `${api}/user/emails`);
  const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
  const primary = all.map(objectOf).find((one) => one['primary'] === true);
  const claims = { email: primary?.['email'], email_verified: primary?.['verified'] === true };
  return { subject: subjectOf(id), claims };
}

/** An own server has its API below its address. */
export function githubApi(issuer: string): string {
  return issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
}

async function call({ egress, tenantId, accessToken }: Read, url: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await getJson(egress, { url, headers, onBehalfOf: tenantId, ...CALL_LIMITS });
  if (answer.outcome !== 'answered') throw new UpstreamRefused(`profile_${answer.reason}`);
  return answer.value;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Numbers beyond what JSON keeps exactly are refused: two users could become one. */
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
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('Another curve.');
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  } catch {
    throw new UpstreamRefused('client_key');
  }
}
