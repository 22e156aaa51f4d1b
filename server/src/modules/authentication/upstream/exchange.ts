import type { TenantId } from '@keywright/contract/ids';
import type { Egress } from '../../../platform/egress/egress.ts';
import { CALL_LIMITS, type Metadata } from './metadata.ts';
import { UpstreamRefused } from './refused.ts';

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
export interface UpstreamTokens {
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
