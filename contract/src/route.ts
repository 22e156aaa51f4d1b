import type { Static, TObject, TSchema } from 'typebox';
import type { Freshness } from './assurance.ts';
import type { ErrorCode } from './errors.ts';
import type { CookieName, Reply } from './reply.ts';
import { LOGINS, type Scope } from './scopes.ts';

/** The path prefix of the routes in the specification. */
export const API_BASE = '/api/sso/v1';

/**
 * Who can call a route:
 * - `open`: anyone; no tenant is resolved;
 * - `tenant`: anyone, within the tenant that the request names;
 * - `caller`: any caller with a valid token or API key of that tenant, except an application;
 * - `browser`: a user of that tenant, identified by the cookie of their browser session;
 * - `user`: a user of that tenant with their own login; agents, delegates, applications and impersonating system
 *   administrators are rejected;
 * - `{scope}`: a caller with that scope; with `administrator`, no agent, delegate or application (SPEC authentication
 *   9b); with `logins`, some requests need `write:logins`, depending on their content or target;
 * - `system`: a system administrator.
 */
type Access =
  | 'open'
  | 'tenant'
  | 'caller'
  | 'browser'
  | 'user'
  | 'system'
  | {
      readonly scope: Scope;
      readonly administrator?: true;
      readonly logins?: {
        /** The requests in question, worded to continue `write:logins for …`. */
        readonly for: string;
        /**
         * Whether `write:logins` replaces the route's scope for these requests. Other requests still need the route's
         * scope.
         */
        readonly instead?: true;
      };
    };

export interface Route {
  /** Stable name, `<group>.<verb>`; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Full path; parameters as `:name`. */
  readonly path: string;
  readonly access: Access;
  /**
   * For users: how recently and how strongly they must have authenticated (RFC 9470). Default `maxAge`: the tenant's
   * `step_up_max_age`.
   */
  readonly fresh?: Freshness;
  /**
   * How a request names the tenant. `path`: only by `:tenant_id`. Default: by X-Tenant-ID or, without it, by the host
   * (SPEC authentication 6).
   */
  readonly tenant?: 'path';
  /**
   * Whether the response echoes the X-Request-ID of the request (OpenID AuthZEN §10.1.3). By default the service
   * generates one.
   */
  readonly requestId?: 'echo';
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The schema that validates the body when the handler validates parts of it itself; default: `body`. */
  readonly checkedBody?: TObject;
  /**
   * The body is JSON lines (application/x-ndjson) instead of an object, with this maximum number of lines. The
   * handler validates each line, so that the response can report the invalid lines.
   */
  readonly lines?: { readonly schema: TObject; readonly max: number };
  /**
   * The maximum size of the body; default 16 KiB, and never more without a credential. With a credential, a PATCH can
   * have 64 KiB, because a client can send back a record that is larger than the request that created it. A form that
   * is resent by GET can have 8 KiB, because Node.js accepts 16 KiB of headers.
   */
  readonly maxBodyBytes?: number;
  /** The error for a body that does not match its schema, and for single invalid members; default VALIDATION_FAILED. */
  readonly invalidBody?: {
    readonly code: ErrorCode;
    readonly at: Readonly<Record<string, ErrorCode>>;
  };
  /**
   * The handler only reads, for any caller, and starts while the credential is being checked, so that both share a
   * round trip. No response, not even an error about the body, is sent before the credential is confirmed.
   */
  readonly begins?: 'unconfirmed';
  /**
   * Honors Idempotency-Key: the response is stored for 24 hours, without secrets. `each_path`: a key can be used once
   * for each record that the path names; otherwise it is rejected for another record.
   */
  readonly idempotent?: true | 'each_path';
  /**
   * Scripts of any origin can read the response, which is the same for all callers. Default: only the origins that
   * the tenant allows.
   */
  readonly cors?: 'any';
  /**
   * The format of its errors; default `api`. `oauth`: RFC 6749 §5.2, in addition to the fields of every error. `page`:
   * HTML.
   */
  readonly errorForm?: 'oauth' | 'page';
  /**
   * The forms that the route accepts.
   * - `accepted`: the body can also be a form (RFC 6749 §3.2).
   * - `text`: the JSON can be declared as text/plain, as Amazon SNS does.
   * - `page`: a page with a form (GET), or the target of that form (POST). The POST accepts only a form, from this
   *   origin, with the token that the page issued.
   * - `replayed`: a form of any site, such as a client's authorization request (OpenID Connect Core §3.1.2.1) or a
   *   response in the mode form_post. The browser is redirected to the same path by GET with the same fields. No
   *   handler sees the form, because it comes without cookies, which are SameSite=Lax; the GET includes them.
   */
  readonly form?: 'accepted' | 'text' | 'page' | 'replayed';
  /** The cookies that the route can set, other than the CSRF token's. */
  readonly cookies?: readonly CookieName[];
  readonly ok: Reply;
  /** Responses that are not a success and not an error. */
  readonly other?: readonly {
    readonly status: 304 | 503;
    readonly description: string;
    readonly body?: TSchema;
  }[];
  /** The route's own error codes; `impliedErrors` adds the codes that follow from its definition. */
  readonly errors: readonly ErrorCode[];
}

/** The access to settings that decide who can sign in as whom; combined with `fresh: {}`. */
export const FOR_LOGINS = { scope: LOGINS, administrator: true } as const;

/** Defines a route. Preserves the literal types. Handlers, clients and documents are derived from them. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

/** The maximum size of a request body, unless the route declares another. */
export const DEFAULT_BODY_BYTES = 16 * 1024;
const REPLAYED_BODY_BYTES = 8 * 1024;
const RECORD_BYTES = 64 * 1024;

export function bodyLimitOf(definition: Route): number {
  const { maxBodyBytes, form, method } = definition;
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  if (method === 'PATCH' && needsToken(definition)) return RECORD_BYTES;
  return form === 'replayed' ? REPLAYED_BODY_BYTES : DEFAULT_BODY_BYTES;
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

/** Whether a route rejects agents, regardless of their scopes. */
export function needsAdministrator({ access }: Route): boolean {
  return typeof access === 'object' && access.administrator === true;
}

/** Returns which requests need `write:logins`, on a route where only some do. */
export function loginsOf({ access }: Route) {
  return typeof access === 'object' ? access.logins : undefined;
}

/** The same in words. */
export function loginsText(definition: Route): string | undefined {
  const logins = loginsOf(definition);
  if (!logins) return undefined;
  return `${logins.instead ? 'or' : 'and'} \`${LOGINS}\` for ${logins.for}`;
}

/** Returns the scopes that are checked before the request is examined. A caller needs at least one of them. */
export function scopesToEnter(definition: Route): readonly Scope[] {
  const scope = scopeOf(definition);
  if (scope === undefined) return [];
  return loginsOf(definition)?.instead ? [scope, LOGINS] : [scope];
}

/** Whether X-Tenant-ID or the host names the tenant, so that one address serves several tenants. */
export function isTenantInRequest({ access, tenant }: Route): boolean {
  return access !== 'open' && tenant === undefined;
}

/** Whether a route requires a bearer token. */
export function needsToken(definition: Route): boolean {
  return !['open', 'tenant', 'browser'].includes(definition.access as string);
}

/** Whether a route is a web page: its errors are pages, and scripts of other origins cannot read it. */
export function isPage({ errorForm }: Route): boolean {
  return errorForm === 'page';
}

/**
 * Whether requests are accepted only from the service's own pages, because any page can make a browser send them with
 * its cookies. A form that is redirected to GET is exempt, because no handler processes it.
 */
export function needsSameOrigin({ method, form, access, errorForm }: Route): boolean {
  const isOfBrowser = errorForm === 'page' || access === 'browser';
  return isOfBrowser && method !== 'GET' && form !== 'replayed';
}

/** Returns the path of a route with these values as its parameters. */
export function pathTo({ path }: Route, values: Readonly<Record<string, string>>): `/${string}` {
  const filled = path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  return `/${filled.slice(1)}`;
}

/** Whether a system administrator can name another tenant in the query. */
export function isOfAnyTenant({ query }: Route): boolean {
  return query !== undefined && Object.hasOwn(query.properties, 'tenant_id');
}

/** Returns the error codes that follow from the definition of a route. */
export function impliedErrors(definition: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];
  if (definition.access !== 'open') codes.push('TENANT_NOT_FOUND', 'TENANT_INACTIVE');
  if (needsToken(definition)) codes.push('TOKEN_INVALID', 'TENANT_MISMATCH');
  if (definition.access === 'browser') codes.push('BROWSER_SESSION_REQUIRED');
  if (definition.access === 'caller') codes.push('APPLICATION_REFUSED');
  if (definition.access === 'user') codes.push('USER_REQUIRED', 'IMPERSONATION_REFUSED');
  const isOfLogins = loginsOf(definition) !== undefined || scopeOf(definition) === LOGINS;
  if (definition.fresh || isOfLogins) codes.push('STEP_UP_REQUIRED');
  if (definition.access === 'system') codes.push('SYSTEM_ADMINISTRATOR_REQUIRED');
  if (isOfAnyTenant(definition)) codes.push('SYSTEM_ADMINISTRATOR_REQUIRED', 'NOT_FOUND');
  if (needsAdministrator(definition) || isOfLogins) codes.push('ADMINISTRATOR_REQUIRED');
  if (scopeOf(definition) !== undefined) codes.push('SCOPE_REQUIRED');
  if (definition.query ?? definition.params ?? definition.body) codes.push('VALIDATION_FAILED');
  if (definition.method !== 'GET') codes.push(...bodyErrors(definition));
  if (definition.lines) codes.push('REQUEST_MALFORMED');
  if (needsSameOrigin(definition)) codes.push('ORIGIN_REFUSED');
  if (definition.idempotent) codes.push('IDEMPOTENCY_KEY_REUSED');
  return codes;
}

const FORM_ERRORS: Readonly<Record<NonNullable<Route['form']>, readonly ErrorCode[]>> = {
  accepted: ['JSON_INVALID'],
  text: ['JSON_INVALID'],
  page: ['FORM_TOO_OLD', 'REQUEST_MALFORMED'],
  replayed: ['REQUEST_MALFORMED'],
};

function bodyErrors({ form, lines }: Route): ErrorCode[] {
  return [
    ...(lines ? [] : FORM_ERRORS[form ?? 'accepted']),
    'BODY_TOO_LARGE',
    'CONTENT_TYPE_UNSUPPORTED',
    'TOO_MANY_INCOMPLETE_REQUESTS',
  ];
}
