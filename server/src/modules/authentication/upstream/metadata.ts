import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson } from '../../../platform/egress/json.ts';
import { issuerTemplate } from './microsoft.ts';
import type { Provider } from './provider.ts';
import { UpstreamRefused } from './refused.ts';

/** For one call to a provider. */
export const CALL_LIMITS = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

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
