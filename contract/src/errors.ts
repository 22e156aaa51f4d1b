import type { ErrorBody, FieldError } from './error-body.ts';
import { SHORT_NAME } from './status-names.ts';

export { ErrorBody, type FieldError } from './error-body.ts';

interface CatalogueEntry {
  /** HTTP status. */
  readonly status: 400 | 401 | 403 | 404 | 413 | 415 | 429 | 500 | 503;
  /** The sentence a caller reads, unless the place that fails has a more exact one. */
  readonly detail: string;
  /** `error` on the routes of OAuth; without it, the status decides. */
  readonly oauth?: string;
}

/**
 * Every code that the service answers with. The only place that maps a code to a status
 * (SPEC errors; RFC 9110 §15 for the statuses).
 */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    detail: 'The request is not as documented. errors lists what is wrong and what is expected.',
  },
  JSON_INVALID: { status: 400, detail: 'The body is not valid JSON.' },
  REQUEST_MALFORMED: { status: 400, detail: 'The request could not be read as HTTP.' },
  TENANT_NOT_FOUND: {
    status: 400,
    detail:
      'The tenant was not found. Send X-Tenant-ID, or use a host name that belongs to a tenant.',
  },
  IDENTIFIER_TAKEN: { status: 400, detail: 'Another user of this tenant has this identifier.' },
  FORM_TOO_OLD: { status: 400, detail: 'This page is too old. Open it again.' },
  ROLE_UNKNOWN: { status: 400, detail: 'No such role. GET /roles lists those that exist.' },
  SLUG_TAKEN: { status: 400, detail: 'This slug is taken. Choose another one.' },
  ROLE_TAKEN: { status: 400, detail: 'A role of this name already exists. Choose another name.' },
  DOMAIN_TAKEN: { status: 400, detail: 'A domain belongs to another tenant: remove it there.' },
  CLAIM_RESERVED: {
    status: 400,
    detail:
      'A custom claim has the name of a registered claim, or of one that the service sets itself.',
  },
  IN_USE: { status: 400, detail: 'It is in use. Send force=true to delete it nevertheless.' },
  ROTATION_IN_PROGRESS: {
    status: 400,
    detail: 'A new key is published and will sign soon. Send immediately=true for another one now.',
  },
  TOO_MANY_WEBHOOKS: { status: 400, detail: 'A tenant has 1,000 webhooks at the most.' },
  KEY_IN_USE: {
    status: 400,
    detail: 'This is the current signing key. Rotate first, then retire it.',
  },
  APIKEY_ROTATED: {
    status: 400,
    detail: 'This key was rotated before. Rotate its successor.',
  },
  APIKEY_ENDED: {
    status: 400,
    detail: 'This key has expired or was revoked. Create a new one.',
  },
  DEFAULT_TENANT_PROTECTED: {
    status: 400,
    detail: 'The default tenant can neither be deleted nor be made inactive.',
  },
  DEFAULT_WORKSPACE_PROTECTED: {
    status: 400,
    detail: 'The default workspace can neither be deleted nor be made inactive.',
  },
  BUILTIN_ROLE_PROTECTED: { status: 400, detail: 'Built-in roles cannot change. Create your own.' },
  LAST_SYSTEM_ADMINISTRATOR: {
    status: 400,
    detail: 'This is the last active system administrator. Make somebody else one first.',
  },
  CURRENT_PASSWORD_WRONG: {
    status: 400,
    detail: 'current_password is not the password of this user.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    detail: 'This Idempotency-Key was used before with another body. Send a new one.',
  },
  EVENT_UNKNOWN: {
    status: 400,
    detail:
      'There is no event of this id. Events are kept for 30 days: without after, the oldest one kept comes first.',
  },
  GRANT_TYPE_UNSUPPORTED: {
    status: 400,
    detail:
      'grant_type has to be client_credentials, urn:ietf:params:oauth:grant-type:token-exchange or urn:ietf:params:oauth:grant-type:jwt-bearer.',
    oauth: 'unsupported_grant_type',
  },
  GRANT_INVALID: {
    status: 400,
    detail: 'The assertion is not valid, was used before, or is not trusted by this client.',
    oauth: 'invalid_grant',
  },
  SCOPE_INVALID: {
    status: 400,
    detail: 'A requested scope is unknown, or the client does not hold it.',
    oauth: 'invalid_scope',
  },
  TARGET_INVALID: {
    status: 400,
    detail: 'Tokens of this tenant are for its own audience only.',
    oauth: 'invalid_target',
  },
  EXCHANGE_REFUSED: {
    status: 400,
    detail: 'A token that was to be exchanged is not valid, or not one that this exchange takes.',
  },
  DELEGATION_REQUIRED: {
    status: 400,
    detail:
      'This user has not delegated to this agent, or no longer. The user can create a delegation at POST /me/delegations.',
  },
  TOKEN_INVALID: { status: 401, detail: 'The token is missing, malformed, expired or revoked.' },
  BROWSER_SESSION_REQUIRED: { status: 401, detail: 'Nobody is logged in in this browser.' },
  TENANT_MISMATCH: { status: 401, detail: 'The token belongs to another tenant than the request.' },
  CLIENT_INVALID: {
    status: 401,
    detail: 'The client could not be authenticated.',
    oauth: 'invalid_client',
  },
  INVALID_CREDENTIALS: { status: 401, detail: 'The identifier or the secret is wrong.' },
  MFA_REQUIRED: {
    status: 401,
    detail: 'The tenant requires a second factor, and this user has none yet.',
  },
  REFRESH_TOKEN_REUSED: {
    status: 401,
    detail: 'This refresh token was used before. The session has been ended; log in again.',
  },
  SCOPE_REQUIRED: { status: 403, detail: 'The token lacks a scope that this route needs.' },
  SCOPE_NOT_HELD: {
    status: 403,
    detail: 'Nobody can grant, or act on, more than what they hold themselves.',
  },
  PRINCIPAL_PROTECTED: {
    status: 403,
    detail:
      'Whoever acts in the name of a user cannot reach that user’s account: its credentials, identifiers, roles, sessions and delegations.',
  },
  SYSTEM_ADMINISTRATOR_REQUIRED: {
    status: 403,
    detail: 'Only a system administrator may do this.',
  },
  ADMINISTRATOR_REQUIRED: {
    status: 403,
    detail:
      'Agents and API keys are managed with an administrator token, not with one of an agent.',
  },
  ORIGIN_REFUSED: { status: 403, detail: 'This form was not sent from a page of this service.' },
  USER_REQUIRED: {
    status: 403,
    detail: 'Only users may do this, with a token of their own login.',
  },
  IMPERSONATION_REFUSED: {
    status: 403,
    detail: 'This is for users of the tenant, not for an impersonating system administrator.',
  },
  SELF_VERIFICATION_REFUSED: {
    status: 403,
    detail: 'Nobody can change whether an identifier of their own is verified.',
  },
  TENANT_INACTIVE: { status: 403, detail: 'A system administrator made this tenant inactive.' },
  NOT_FOUND: { status: 404, detail: 'There is no such record.' },
  ROUTE_NOT_FOUND: { status: 404, detail: 'There is no such route: see GET /openapi.json.' },
  BODY_TOO_LARGE: { status: 413, detail: 'The body is larger than this route takes.' },
  CONTENT_TYPE_UNSUPPORTED: { status: 415, detail: 'The body has to be sent as application/json.' },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    detail: 'Too many attempts. Wait for as many seconds as Retry-After says.',
  },
  TOO_BUSY: {
    status: 429,
    detail: 'Too many passwords are being checked right now. Try again after Retry-After seconds.',
  },
  TOO_MANY_INCOMPLETE_REQUESTS: {
    status: 429,
    detail:
      'Too many request bodies are on their way, and your address sends the most. Try again after Retry-After seconds.',
  },
  INTERNAL: {
    status: 500,
    detail: 'The service failed. The request id tells its operator where to look.',
  },
  UNAVAILABLE: {
    status: 503,
    detail: 'The service cannot answer right now. Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The body of an error answer (SPEC errors). */
export function errorBody(
  code: ErrorCode,
  detail?: string,
  errors?: readonly FieldError[],
): ErrorBody {
  const { status, detail: usual } = ERRORS[code];
  return {
    error: SHORT_NAME[status],
    detail: detail ?? usual,
    code,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  };
}

/** A limit that a request was counted by: so many within a window. */
export interface RateLimit {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

interface FailureOptions {
  /** Replaces the catalogue's sentence. Public: never holds a secret or another tenant's data. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Sent as RateLimit-Policy; if it is one, as RateLimit too. */
  readonly limits?: readonly RateLimit[];
  /** For the log only. */
  readonly internal?: unknown;
}

/** A failure that has a code of the catalogue. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly options: FailureOptions;

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.detail ?? ERRORS[code].detail, { cause: options.internal });
    this.name = 'AppError';
    this.code = code;
    this.options = options;
  }
}

/**
 * Ends a request with one of the codes that its route declares. Whoever calls a function that takes a
 * `Fail<C>` must be able to answer with every code in C, or it doesn't compile.
 */
export type Fail<Code extends ErrorCode> = (code: Code, options?: FailureOptions) => never;

export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new AppError(code, options);
}
