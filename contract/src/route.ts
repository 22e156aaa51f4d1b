import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { CookieName, Reply } from './reply.ts';
import type { Scope } from './scopes.ts';

/** Path prefix of the routes that the specification lists. */
export const API_BASE = '/api/sso/v1';

/**
 * Who gets in:
 * - `open`: anyone, no tenant is looked for;
 * - `tenant`: anyone, within the tenant that the request names;
 * - `caller`: whoever has a valid token or API key of that tenant;
 * - `browser`: a user of that tenant, by the cookie of their browser session;
 * - `user`: a user of that tenant, by their own login: no agent, nobody who acts for them, no impersonating
 *   system administrator;
 * - `{scope}`: a caller who has that scope; with `administrator`, no agent (SPEC authentication 9b);
 * - `system`: a system administrator.
 */
type Access =
  | 'open'
  | 'tenant'
  | 'caller'
  | 'browser'
  | 'user'
  | 'system'
  | { readonly scope: Scope; readonly administrator?: true };

export interface Route {
  /** Stable name, `<group>.<verb>`; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Full path; parameters as `:name`. */
  readonly path: string;
  readonly access: Access;
  /**
   * Where the tenant is named: `path` by `:tenant_id` and by nothing else; default by X-Tenant-ID, else by the host
   * (SPEC authentication 6).
   */
  readonly tenant?: 'path';
  /** The answer carries the X-Request-ID of the request (OpenID AuthZEN §10.1.3); default one of the service. */
  readonly requestId?: 'echo';
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /**
   * How large the body may be; default 16 KiB, and never more without a credential. Of a form that is sent on by GET 8 KiB,
   * since Node.js takes 16 KiB of headers.
   */
  readonly maxBodyBytes?: number;
  /**
   * Its handler only reads, for any caller, and begins while the database is asked whether the credential is alive, so
   * that what both ask goes in one statement. Nothing that comes of it is told before that is known, errors of the body
   * neither.
   */
  readonly begins?: 'unconfirmed';
  /**
   * Honours Idempotency-Key: the answer is kept for 24 hours, secrets left out. `each_path`: one key may be used once for
   * each record that the path names; else it is refused for another one.
   */
  readonly idempotent?: true | 'each_path';
  /** Scripts of any origin may read the answer, which is the same for everybody; else those that the tenant allows. */
  readonly cors?: 'any';
  /** The form of its errors; default `api`. `oauth`: RFC 6749 §5.2, beside the fields of every error. `page`: HTML. */
  readonly errorForm?: 'oauth' | 'page';
  /**
   * `accepted`: the body may be a form, too (RFC 6749 §3.2).
   * `page`: a page with a form (GET), or where such a form is sent to (POST): it comes from this origin, with the token
   * that the page gave it, and nothing but a form is taken.
   * `replayed`: a form of any site, such as a client's authorization request (OpenID Connect Core §3.1.2.1) or a response
   * in the mode form_post: the browser is sent on to the same path by GET with the same fields. No handler sees the form,
   * which no cookie comes with, since they are SameSite=Lax; they come with the GET.
   */
  readonly form?: 'accepted' | 'page' | 'replayed';
  /** Which cookies it may set, beside the one that its form is bound to. */
  readonly cookies?: readonly CookieName[];
  readonly ok: Reply;
  /** Answers that are neither success nor an error body. */
  readonly other?: readonly {
    readonly status: 304 | 503;
    readonly description: string;
    readonly body?: TSchema;
  }[];
  /** Codes of this route's own; `impliedErrors` adds those that its form implies. */
  readonly errors: readonly ErrorCode[];
}

/** States a route. Keeps the literal types, so that handlers, clients and documents can be derived. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

/** How large the body of a request may be, unless its route says otherwise. */
export const DEFAULT_BODY_BYTES = 16 * 1024;
const REPLAYED_BODY_BYTES = 8 * 1024;

export function bodyLimitOf({ maxBodyBytes, form }: Route): number {
  return maxBodyBytes ?? (form === 'replayed' ? REPLAYED_BODY_BYTES : DEFAULT_BODY_BYTES);
}

export type ErrorsOf<R extends Route> = R['errors'][number];

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type ParamsOf<R extends Route> = StaticOr<R['params'], Record<never, never>>;
export type QueryOf<R extends Route> = StaticOr<R['query'], Record<never, never>>;
export type BodyOf<R extends Route> = StaticOr<R['body'], undefined>;
export type OkOf<R extends Route> = StaticOr<R['ok']['body'], undefined>;
export type CookiesOf<R extends Route> = R['cookies'] extends readonly CookieName[]
  ? R['cookies'][number]
  : never;

/** The scope that a route needs, if any. */
export function scopeOf(definition: Route): Scope | undefined {
  return typeof definition.access === 'object' ? definition.access.scope : undefined;
}

/** Whether a route refuses agents, whatever scopes they have. */
export function needsAdministrator({ access }: Route): boolean {
  return typeof access === 'object' && access.administrator === true;
}

/** Whether a request names its tenant by X-Tenant-ID or its host, so that one address answers for several tenants. */
export function isTenantInRequest({ access, tenant }: Route): boolean {
  return access !== 'open' && tenant === undefined;
}

/** Whether a route asks for a bearer token. */
export function needsToken(definition: Route): boolean {
  return !['open', 'tenant', 'browser'].includes(definition.access as string);
}

/** Whether a route is for people in a browser: its errors are pages, and no script of another origin reads it. */
export function isPage({ errorForm }: Route): boolean {
  return errorForm === 'page';
}

/**
 * Whether it is taken from our own pages alone: a browser may be made to send it by any page, with its cookies. Of what is
 * sent on by GET nothing is taken.
 */
export function needsOwnOrigin({ method, form, access, errorForm }: Route): boolean {
  const isOfBrowser = errorForm === 'page' || access === 'browser';
  return isOfBrowser && method !== 'GET' && form !== 'replayed';
}

/** Where a route is, with these values for the parameters of its path. */
export function pathTo({ path }: Route, values: Readonly<Record<string, string>>): `/${string}` {
  const filled = path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  return `/${filled.slice(1)}`;
}

/** Codes that a route answers with because of its form, not because of what it does. */
export function impliedErrors(definition: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];
  if (definition.access !== 'open') codes.push('TENANT_NOT_FOUND', 'TENANT_INACTIVE');
  if (needsToken(definition)) codes.push('TOKEN_INVALID', 'TENANT_MISMATCH');
  if (definition.access === 'browser') codes.push('BROWSER_SESSION_REQUIRED');
  if (definition.access === 'user') codes.push('USER_REQUIRED', 'IMPERSONATION_REFUSED');
  if (definition.access === 'system') codes.push('SYSTEM_ADMINISTRATOR_REQUIRED');
  if (needsAdministrator(definition)) codes.push('ADMINISTRATOR_REQUIRED');
  if (scopeOf(definition) !== undefined) codes.push('SCOPE_REQUIRED');
  if (definition.query ?? definition.params ?? definition.body) codes.push('VALIDATION_FAILED');
  if (definition.method !== 'GET') codes.push(...bodyErrors(definition));
  if (needsOwnOrigin(definition)) codes.push('ORIGIN_REFUSED');
  if (definition.idempotent) codes.push('IDEMPOTENCY_KEY_REUSED');
  return codes;
}

const FORM_ERRORS: Readonly<Record<NonNullable<Route['form']>, readonly ErrorCode[]>> = {
  accepted: ['JSON_INVALID'],
  page: ['FORM_TOO_OLD', 'REQUEST_MALFORMED'],
  replayed: ['REQUEST_MALFORMED'],
};

function bodyErrors({ form }: Route): ErrorCode[] {
  return [
    ...FORM_ERRORS[form ?? 'accepted'],
    'BODY_TOO_LARGE',
    'CONTENT_TYPE_UNSUPPORTED',
    'TOO_MANY_INCOMPLETE_REQUESTS',
  ];
}
