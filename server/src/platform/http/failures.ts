import { stepUpChallenge } from '@keywright/contract/assurance';
import { DPOP_ALGS } from '@keywright/contract/dpop';
import { AppError, ERRORS, errorBody, type RateLimit } from '@keywright/contract/errors';
import { EXPECTS, type RequestSchema } from '@keywright/contract/expectation';
import { oauthErrorBody } from '@keywright/contract/oauth-error';
import type { Route } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAbandoned, isUnavailable } from '../db/failures.ts';
import { loadTexts } from '../texts/load.ts';
import { chooseLocale, type Wishes } from '../texts/locales.ts';
import { unsupportedType } from './content.ts';
import { errorPage } from './pages/error-page.ts';
import { READ_ONLY, sendPage } from './pages/html.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The format of the route's errors. */
    errorForm?: Route['errorForm'];
  }

  interface FastifyInstance {
    /** URL of the documentation, without a trailing slash. The same for all requests, so that it reveals nothing. */
    docsUrl: () => string;
  }

  interface FastifyRequest {
    /** The language preferences of the user, once the tenant is known. */
    wishes?: Wishes;
  }
}

const MAX_DISCARDED_BYTES = 2 * 1024 * 1024;

/** Converts anything thrown to an error of the catalog; unexpected errors become INTERNAL. */
function asAppError(error: unknown, { server }: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error) || isAbandoned(error)) {
    return new AppError('UNAVAILABLE', { retryAfterSeconds: 1, internal: error });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(server, error);
  return new AppError(blame(error), { internal: error });
}

/** A client error of the HTTP library is a malformed request. */
function blame(error: unknown): AppError['code'] {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? 'REQUEST_MALFORMED' : 'INTERNAL';
}

/**
 * Writes all error responses of the API; no other function does.
 * @param form default: the route's form
 */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  form = formOf(request),
): FastifyReply {
  const error = explainPath(request, asAppError(thrown, request));
  const { status } = ERRORS[error.code];
  request.facts.code = error.code;
  const { retryAfterSeconds, limits, internal } = error.options;
  // Intended rejections, such as a stream over the limit, appear only in the request's log line.
  if (status >= 500 && (internal !== undefined || error.code === 'INTERNAL'))
    request.log.error(
      { reqId: request.id, err: internal ?? error, code: error.code },
      'request failed',
    );
  if (status === 401 || error.code === 'SCOPE_REQUIRED' || error.options.challenge !== undefined) {
    reply.header('www-authenticate', challenge(request, error));
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (limits !== undefined) setRateLimitHeaders(reply, limits, retryAfterSeconds ?? 0);
  if (error.code === 'BODY_TOO_LARGE' && isWorthReading(request)) reply.removeHeader('connection');
  reply.code(status);
  if (form === 'page') {
    void sendErrorPage(request, reply, error);
    return reply;
  }
  const body = form === 'oauth' ? oauthErrorBody : errorBody;
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body(error.code, request.server.docsUrl(), error.options));
}

/** Explains a malformed path if that is why no record was found; never reveals whether a record exists. */
function explainPath({ params, routeOptions }: FastifyRequest, error: AppError): AppError {
  if (error.code !== 'NOT_FOUND' || error.options.detail !== undefined) return error;
  const { properties = {} } = (routeOptions.schema?.params ?? {}) as RequestSchema;
  for (const [name, value] of Object.entries(Object(params) as Record<string, string>)) {
    if (value === '') {
      return new AppError('ROUTE_NOT_FOUND', {
        detail: `Unknown route: ${name} is empty in the path.`,
      });
    }
    const expected = properties[name]?.[EXPECTS] ?? '';
    const [, prefix] = /^an ID of the form ([a-z]+[:_])<\w+>$/.exec(expected) ?? [];
    if (prefix !== undefined && !value.startsWith(prefix)) {
      const detail = `The record was not found. ${name} must be ${expected}.`;
      return new AppError('NOT_FOUND', { ...error.options, detail });
    }
  }
  return error;
}

async function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
): Promise<void> {
  const wishes = request.wishes ?? { accepted: request.headers['accept-language'] };
  const texts = await loadTexts(chooseLocale(wishes));
  await reply.send(sendPage(reply, errorPage(error, request.id, texts), READ_ONLY));
}

/**
 * Sets the rate limit headers of draft-ietf-httpapi-ratelimit-headers-10 §3 and §4. If several limits apply, the
 * response does not reveal whether the limit of the identifier or of the address was reached.
 */
function setRateLimitHeaders(
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
 * Whether to read and discard the rest of a slightly too large body: a client that is still sending when the
 * connection closes does not see the error.
 */
function isWorthReading({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= MAX_DISCARDED_BYTES;
}

function formOf(request: FastifyRequest): Route['errorForm'] {
  return request.routeOptions.config?.errorForm;
}

/**
 * Returns the challenge with the scheme of the request: a token bound to a key is not a bearer token (RFC 9449 §7.1).
 */
function challenge(request: FastifyRequest, error: AppError): string {
  const text = bearerChallenge(request, error);
  const isBound = /^DPoP /i.test(request.headers.authorization ?? '');
  if (!isBound || !text.startsWith('Bearer')) return text;
  const [, ...parameters] = text.split(/ (.*)/);
  return `DPoP ${[...parameters.filter(Boolean), DPOP_ALGS].join(', ')}`;
}

/** RFC 6750 §3.1: a rejected token and a missing scope get an error code; a missing token only the challenge. */
function bearerChallenge(request: FastifyRequest, { code, options }: AppError): string {
  if (options.challenge !== undefined) return options.challenge;
  if (code === 'SCOPE_REQUIRED') return 'Bearer error="insufficient_scope"';
  // RFC 6749 §5.2: client authentication has two forms; the challenge names the one that uses a header.
  if (formOf(request) === 'oauth') return 'Basic realm="keywright", charset="UTF-8"';
  if (options.stepUp) return stepUpChallenge(options.stepUp);
  const isRejected = code === 'TOKEN_INVALID' || code === 'TENANT_MISMATCH';
  const hasToken = request.headers.authorization !== undefined;
  return isRejected && hasToken ? 'Bearer error="invalid_token"' : 'Bearer';
}
