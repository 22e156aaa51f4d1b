import type { IncomingHttpHeaders } from 'node:http';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type { FastifyRequest } from 'fastify';

/** The DPoP proof of a request, not verified (RFC 9449 §4.1), and what it must match. */
export interface PresentedProof {
  readonly jwt: string;
  readonly method: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  /** Present if the host named the tenant; any other host is only a claim of the client. */
  readonly host: string | undefined;
}

/** The credential of a request. */
export interface PresentedCredential {
  readonly token: string;
  /** Of the header Authorization. */
  readonly scheme: 'bearer' | 'dpop';
  readonly proof: PresentedProof | undefined;
  /** The credential was accepted before. This use consumes nothing and does not count as another one. */
  readonly isAgain?: true;
}

const BASE = 'http://localhost';
const AUTHORIZATION = /^(?<scheme>bearer|dpop) (?<token>.+)$/is;

/**
 * Returns the credential of the Authorization header; undefined without one. The credential's parser validates its
 * characters.
 */
export function presentedCredential(request: FastifyRequest): PresentedCredential | undefined {
  const { scheme, token } = AUTHORIZATION.exec(request.headers.authorization ?? '')?.groups ?? {};
  if (scheme === undefined || token === undefined) return undefined;
  const isDpop = scheme.toLowerCase() === 'dpop';
  return { token, scheme: isDpop ? 'dpop' : 'bearer', proof: presentedProof(request) };
}

const HOW = 'Send Authorization: Bearer <token>, with an access token or an API key.';

/** Explains why a request has no credential, for TOKEN_INVALID. */
export function describeMissing({ authorization }: IncomingHttpHeaders): FailureOptions {
  const why =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : 'The Authorization header does not have the form Bearer <token>.';
  return { detail: `${why} ${HOW}` };
}

/** Returns the path of a request target, which can be an absolute URL (RFC 9112 §3.2.2). */
function pathIn(url: string): string {
  return URL.canParse(url, BASE) ? new URL(url, BASE).pathname : '';
}

/** Returns the request's DPoP proof. Repeated headers are joined by a comma, which no proof contains. */
export function presentedProof(request: FastifyRequest): PresentedProof | undefined {
  const { headers, method, url, params, peer } = request;
  const { dpop, 'x-tenant-id': named } = headers;
  if (dpop === undefined) return undefined;
  const isOfHost = named === undefined && !Object.hasOwn(Object(params), 'tenant_id');
  return {
    jwt: String(dpop),
    method,
    path: pathIn(url),
    host: isOfHost ? peer.host : undefined,
  };
}
