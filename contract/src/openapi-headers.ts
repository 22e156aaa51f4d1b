import { ERRORS, type ErrorCode } from './errors.ts';
import { isTenantInRequest, type Route } from './route.ts';

type Json = Record<string, unknown>;

const text = (description: string, example: string, required = true) => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});
const seconds = (description: string) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0, maximum: 31_536_000 },
  example: 1,
});

/** Response headers, as components of the document. */
const HEADERS = {
  'X-Request-ID': text('ID of the request in the logs of the service.', 'zNeVo6tgW6XA8RirUW4vQg'),
  'Cache-Control': text('`no-store`, unless the response is public.', 'no-store'),
  ETag: text('Version of the response. Send it in `If-None-Match`.', '"oVZ9cWq0mS3r"'),
  'Retry-After': seconds('Number of seconds to wait before you retry.'),
  'RateLimit-Policy': text(
    'With `TOO_MANY_ATTEMPTS`: the limits that apply to the request, each with its quota `q` per window of `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    '"identifier";q=10;w=300, "address";q=100;w=300',
    false,
  ),
  RateLimit: text(
    'With `TOO_MANY_ATTEMPTS`, if one limit applies: remaining requests `r` (0) and seconds until the reset `t`. If several limits apply, the response does not reveal which one was reached.',
    '"client";r=0;t=60',
    false,
  ),
  Location: text('URL to continue at.', '/reference'),
  'Set-Cookie': text(
    'A cookie that the tenant sets in this browser.',
    '__Host-kwp_mfrggzdfmz=8yfVfgDrKxM3wTHDRmRAtg; Path=/; Secure; HttpOnly; SameSite=Lax',
    false,
  ),
  'WWW-Authenticate': text('How to authenticate (RFC 6750, RFC 7617).', 'Bearer'),
} as const;

type HeaderName = keyof typeof HEADERS;

/** On every response. */
const ALWAYS: readonly HeaderName[] = ['X-Request-ID', 'Cache-Control'];
const WAIT: readonly HeaderName[] = ['Retry-After'];
const LIMITS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** Returns the headers of a success, or of a response that is not a success and not an error. */
export function headersOf(route: Route): Json {
  const { other = [], ok } = route;
  const names = [...ALWAYS];
  if (other.some(({ status }) => status === 304)) names.push('ETag');
  if (ok.kind === 'redirect') names.push('Location');
  if (setsCookies(route)) names.push('Set-Cookie');
  return references(names);
}

/** Returns every header that a response of these routes can have. */
export function headersUsedBy(routes: readonly Route[]): Json {
  const { 'Set-Cookie': setCookie, ...usual } = HEADERS;
  return routes.some(setsCookies) ? { ...usual, 'Set-Cookie': setCookie } : usual;
}

function setsCookies({ cookies, form }: Route): boolean {
  return cookies !== undefined || form === 'page';
}

/** Returns the headers of an error with these codes, which all share one status. */
export function headersOfErrors(codes: readonly ErrorCode[]): Json {
  const [status] = codes.map((code) => ERRORS[code].status);
  if (status === 401 || codes.includes('SCOPE_REQUIRED')) {
    return references([...ALWAYS, 'WWW-Authenticate']);
  }
  if (codes.includes('TOO_MANY_ATTEMPTS')) return references([...ALWAYS, ...WAIT, ...LIMITS]);
  if (status === 429 || status === 503) return references([...ALWAYS, ...WAIT]);
  return references(ALWAYS);
}

function references(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const header = (name: string, description: string, example: string, bounds: object = {}) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...bounds },
  example,
});

/** Request headers, as components of the document. */
export const HEADER_PARAMETERS = {
  TenantId: header(
    'X-Tenant-ID',
    'ID of the tenant. If absent, the host name identifies the tenant.',
    'org_acme',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes the request safe to retry for 24 hours: a repeated request returns the first response, without its secrets.',
    '3b1f6a4e-5d0c-4b52-9c54-0a6a1f0b7d11',
    { minLength: 1, maxLength: 255 },
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'ETag of the version that you already have.',
    '"oVZ9cWq0mS3r"',
  ),
  LastEventId: header('Last-Event-ID', 'Version to resume the stream after.', '41'),
} as const;

/** Returns the headers that a request of this route can have. */
export function headerParameters(route: Route): Json[] {
  const names: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (isTenantInRequest(route)) names.push('TenantId');
  if (route.idempotent) names.push('IdempotencyKey');
  if (route.other?.some(({ status }) => status === 304)) names.push('IfNoneMatch');
  if (route.ok.contentType === 'text/event-stream') names.push('LastEventId');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
