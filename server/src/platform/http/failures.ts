import { AppError, ERRORS, errorBody, type RateLimit } from '@keywright/contract/errors';
import { oauthErrorBody } from '@keywright/contract/oauth-error';
import type { Route } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../db/failures.ts';
import { errorPage } from './pages/error-page.ts';
import { READ_ONLY, sendPage } from './pages/headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the route's errors. */
    errorForm?: Route['errorForm'];
  }
}

const MAX_DISCARDED_BYTES = 2 * 1024 * 1024;

/** What the HTTP library refuses by itself, as codes of the contract. */
const LIBRARY_FAILURES: Readonly<Record<string, AppError['code']>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'CONTENT_TYPE_UNSUPPORTED',
  FST_ERR_BAD_URL: 'REQUEST_MALFORMED',
};

/** Turns whatever was thrown into a failure of the catalogue; what is not foreseen is INTERNAL. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, internal: error });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new AppError(LIBRARY_FAILURES[code] ?? blame(error), { internal: error });
}

/** What else the HTTP library says is the client's fault is a request that can't be read. */
function blame(error: unknown): AppError['code'] {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? 'REQUEST_MALFORMED' : 'INTERNAL';
}

/** The one place that writes an error answer of the API. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const error = asAppError(thrown);
  const { status } = ERRORS[error.code];
  request.facts.code = error.code;
  const { detail, errors, retryAfterSeconds, limits, internal } = error.options;
  // What is refused on purpose, such as a stream for which there is no room, is told by the line of the request.
  if (status >= 500 && (internal !== undefined || error.code === 'INTERNAL'))
    request.log.error(
      { reqId: request.id, err: internal ?? error, code: error.code },
      'request failed',
    );
  if (status === 401) reply.header('www-authenticate', challenge(request, error.code));
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (limits !== undefined) tellLimits(reply, limits, retryAfterSeconds ?? 0);
  if (error.code === 'BODY_TOO_LARGE' && isWorthReading(request)) reply.removeHeader('connection');
  reply.code(status);
  const form = formOf(request);
  if (form === 'page') return reply.send(sendPage(reply, errorPage(error, request.id), READ_ONLY));
  const body = form === 'oauth' ? oauthErrorBody : errorBody;
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body(error.code, detail, errors));
}

/**
 * draft-ietf-httpapi-ratelimit-headers-10 §3 and §4. Which of several limits was reached is not told, so that nobody
 * learns whether it was the identifier's or the address's.
 */
function tellLimits(
  reply: FastifyReply,
  limits: readonly RateLimit[],
  retryAfterSeconds: number,
): void {
  const policies = limits.map(
    ({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`,
  );
  reply.header('ratelimit-policy', policies.join(', '));
  const [only, ...others] = limits;
  if (only && others.length === 0) {
    reply.header('ratelimit', `"${only.name}";r=0;t=${retryAfterSeconds}`);
  }
}

/**
 * What is left of a body that is a bit too large is read, and thrown away: whoever still sends when the connection is closed
 * does not get to see why.
 */
function isWorthReading({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= MAX_DISCARDED_BYTES;
}

function formOf(request: FastifyRequest): Route['errorForm'] {
  return request.routeOptions.config?.errorForm;
}

/** RFC 6750 §3.1: a rejected token is named as such; where none came, one is only asked for. */
function challenge(request: FastifyRequest, code: AppError['code']): string {
  // RFC 6749 §5.2: of the two ways to authenticate as a client, the one that has a header.
  if (formOf(request) === 'oauth') return 'Basic realm="keywright", charset="UTF-8"';
  const isRejected = code === 'TOKEN_INVALID' || code === 'TENANT_MISMATCH';
  const hasToken = request.headers.authorization !== undefined;
  return isRejected && hasToken ? 'Bearer error="invalid_token"' : 'Bearer';
}
