import type { IncomingHttpHeaders } from 'node:http';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type { FastifyRequest } from 'fastify';

/** A DPoP proof as a request came with it, not verified (RFC 9449 §4.1), and what it has to be for. */
export interface PresentedProof {
  readonly jwt: string;
  readonly method: string;
  /** As in a URL, without the query. */
  readonly path: string;
  /** Where the tenant was named by it; any other host is a claim of the client. */
  readonly host: string | undefined;
}

/** A credential as a request came with it. */
export interface PresentedCredential {
  readonly token: string;
  /** Of the header Authorization. */
  readonly scheme: 'bearer' | 'dpop';
  readonly proof: PresentedProof | undefined;
  /** It was accepted before: nothing is spent by it, and it does not count as another use. */
  readonly isAgain?: true;
}

const BASE = 'http://localhost';
const AUTHORIZATION = /^(?<scheme>bearer|dpop) (?<token>.+)$/is;

/** That of the header Authorization; its characters are validated by its parser. Undefined without one. */
export function presentedCredential(request: FastifyRequest): PresentedCredential | undefined {
  const { scheme, token } = AUTHORIZATION.exec(request.headers.authorization ?? '')?.groups ?? {};
  if (scheme === undefined || token === undefined) return undefined;
  const isDpop = scheme.toLowerCase() === 'dpop';
  return { token, scheme: isDpop ? 'dpop' : 'bearer', proof: presentedProof(request) };
}

const HOW = 'Send Authorization: Bearer <token>, with an access token or an API key.';

/** Why a request has no credential, for TOKEN_INVALID. */
export function describeMissing({ authorization }: IncomingHttpHeaders): FailureOptions {
  const why =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : 'The Authorization header does not have the form Bearer <token>.';
  return { detail: `${why} ${HOW}` };
}

/** A request may name a whole address (RFC 9112 §3.2.2). */
function pathIn(url: string): string {
  return URL.canParse(url, BASE) ? new URL(url, BASE).pathname : '';
}

/** A repeated header arrives joined by a comma, which no proof contains. */
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
