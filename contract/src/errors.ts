import type { ErrorBody } from './error-body.ts';
import { MESSAGE_ERRORS } from './message-errors.ts';
import { FACTOR_ERRORS } from './factor-errors.ts';
import { UPSTREAM_ERRORS } from './upstream-errors.ts';
import type { FailureOptions } from './failure-options.ts';
import { OAUTH_ERRORS } from './oauth-errors.ts';
import { SHORT_NAME } from './status-names.ts';

export { ErrorBody, type FieldError } from './error-body.ts';
export type { RateLimit } from './failure-options.ts';

interface CatalogEntry {
  /** HTTP status. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;
  /** The default detail. */
  readonly detail: string;
  /** The `error` on OAuth routes. If absent, it depends on the status. */
  readonly oauth?: string;
}

/**
 * Every error code of the service. The only place that maps a code to a status (SPEC errors; RFC 9110 §15 for the
 * statuses).
 */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    detail: 'The request is invalid. errors lists each invalid field and what is expected.',
  },
  JSON_INVALID: { status: 400, detail: 'The body is not valid JSON.' },
  REQUEST_MALFORMED: { status: 400, detail: 'The request is not valid HTTP.' },
  TENANT_NOT_FOUND: {
    status: 400,
    detail: 'The tenant was not found. Send X-Tenant-ID, or use one of the tenant’s host names.',
  },
  IDENTIFIER_TAKEN: {
    status: 400,
    detail: 'Another user of this tenant already has this identifier.',
  },
  COOKIE_REFUSED: { status: 400, detail: 'The browser did not send the cookie of this login.' },
  FORM_TOO_OLD: { status: 400, detail: 'This page has expired. Open it again.' },
  ROLE_UNKNOWN: { status: 400, detail: 'Unknown role. GET /roles lists the existing roles.' },
  SLUG_TAKEN: { status: 400, detail: 'This slug is already in use. Choose a different slug.' },
  ROLE_TAKEN: {
    status: 400,
    detail: 'A role with this name already exists. Choose a different name.',
  },
  DOMAIN_TAKEN: { status: 400, detail: 'One of the domains belongs to another tenant.' },
  CLAIM_RESERVED: {
    status: 400,
    detail: 'The name of a custom claim is reserved by a standard or by the service.',
  },
  IN_USE: { status: 400, detail: 'The record is in use. Send force=true to delete it anyway.' },
  ROTATION_IN_PROGRESS: {
    status: 400,
    detail:
      'A new key is already published and will start signing soon. Send immediately=true to create another key now.',
  },
  TOO_MANY_WEBHOOKS: { status: 400, detail: 'A tenant can have at most 1,000 webhooks.' },
  KEY_IN_USE: {
    status: 400,
    detail: 'This key currently signs tokens. Rotate it before you retire it.',
  },
  APIKEY_ROTATED: {
    status: 400,
    detail: 'This key was already rotated. Rotate its successor instead.',
  },
  APIKEY_ENDED: { status: 400, detail: 'This key has expired or was revoked. Create a new key.' },
  DEFAULT_TENANT_PROTECTED: {
    status: 400,
    detail: 'The default tenant cannot be deleted or deactivated.',
  },
  DEFAULT_WORKSPACE_PROTECTED: {
    status: 400,
    detail: 'The default workspace cannot be deleted or deactivated.',
  },
  BUILTIN_ROLE_PROTECTED: {
    status: 400,
    detail: 'Built-in roles cannot be changed. Create a custom role instead.',
  },
  ACCOUNT_DELETION_OFF: {
    status: 403,
    detail: 'Users of this tenant cannot delete their own accounts.',
  },
  LAST_ADMINISTRATOR: {
    status: 400,
    detail:
      'The tenant would be left without an active administrator. Assign another administrator first.',
  },
  STEP_NOT_NEEDED: {
    status: 400,
    detail: 'The flow does not need this step now. needs lists the required steps.',
  },
  CURRENT_PASSWORD_WRONG: {
    status: 400,
    detail: 'current_password does not match the user’s current password.',
  },
  LAST_IDENTIFIER: {
    status: 400,
    detail:
      'A user must keep at least one identifier, and at least one verified identifier. Add another before you remove this one.',
  },
  IDENTIFIER_UNVERIFIED: {
    status: 400,
    detail: 'Only a verified identifier can be the primary one. Verify it first.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    detail: 'This Idempotency-Key was already used for a different request. Send a new key.',
  },
  EVENT_UNKNOWN: {
    status: 400,
    detail:
      'Unknown event. Events are kept for 30 days. Omit after to start with the oldest event.',
  },
  EXCHANGE_REFUSED: {
    status: 400,
    detail: 'One of the tokens is invalid, or this exchange does not accept its type.',
  },
  DELEGATION_REQUIRED: {
    status: 400,
    detail:
      'The user has not delegated access to this agent. Users delegate access with POST /me/delegations.',
  },
  TOKEN_INVALID: { status: 401, detail: 'The token is malformed, expired or revoked.' },
  BROWSER_SESSION_REQUIRED: { status: 401, detail: 'This browser has no session. Sign in first.' },
  TENANT_MISMATCH: { status: 401, detail: 'The token belongs to another tenant.' },
  CLIENT_INVALID: {
    status: 401,
    detail:
      'Client authentication failed. The client ID is unknown or inactive, the credential is wrong, or the client is registered for a different authentication method.',
    oauth: 'invalid_client',
  },
  INVALID_CREDENTIALS: { status: 401, detail: 'The identifier or the secret is wrong.' },
  STEP_UP_REQUIRED: {
    status: 401,
    detail: 'This requires a more recent or stronger login. See WWW-Authenticate.',
  },
  MFA_REQUIRED: {
    status: 401,
    detail: 'A second factor is required. If the response contains flow, continue the login there.',
  },
  NEW_PASSWORD_REQUIRED: {
    status: 401,
    detail: 'This password appeared in a data breach. Complete flow with a new password.',
  },
  PROOF_REQUIRED: {
    status: 401,
    detail: 'Prove a credential that the account had before the change.',
  },
  FLOW_ENDED: {
    status: 401,
    detail: 'This login has ended, or the token does not belong to it. Start a new login.',
  },
  REFRESH_TOKEN_REUSED: {
    status: 401,
    detail: 'This refresh token was already used, so the session has ended. Sign in again.',
  },
  SCOPE_REQUIRED: {
    status: 403,
    detail: 'The token does not have a scope that this route requires.',
  },
  SCOPE_NOT_HELD: {
    status: 403,
    detail: 'You cannot grant, or act on, permissions that you do not hold.',
  },
  PRINCIPAL_PROTECTED: {
    status: 403,
    detail:
      'A caller acting for a user cannot manage that user’s account: credentials, identifiers, roles, sessions and delegations.',
  },
  SYSTEM_ADMINISTRATOR_REQUIRED: {
    status: 403,
    detail: 'Only a system administrator can do this.',
  },
  ADMINISTRATOR_REQUIRED: {
    status: 403,
    detail:
      'Managing agents and API keys requires the token of an administrator. Tokens of agents are rejected.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    detail: 'This form was not submitted from a page of this service.',
  },
  APPLICATION_REFUSED: {
    status: 403,
    detail:
      'OAuth client tokens cannot call this route. Use a token from a direct login or an API key.',
  },
  USER_REQUIRED: {
    status: 403,
    detail: 'This request requires a token from the user’s own login.',
  },
  IMPERSONATION_REQUIRED: {
    status: 403,
    detail: 'Start an impersonation in this tenant first, with a reason.',
  },
  TOKEN_FOR_BROWSER_REFUSED: { status: 403, detail: 'Tokens cannot be issued to the console.' },
  IMPERSONATION_REFUSED: {
    status: 403,
    detail: 'Only users of the tenant can do this. An impersonating system administrator cannot.',
  },
  SELF_VERIFICATION_REFUSED: {
    status: 403,
    detail: 'Users cannot change whether their own identifiers are verified.',
  },
  TENANT_INACTIVE: {
    status: 403,
    detail: 'A system administrator deactivated the tenant.',
  },
  NOT_FOUND: { status: 404, detail: 'The record was not found.' },
  ROUTE_NOT_FOUND: { status: 404, detail: 'Unknown route. GET /openapi.json lists all routes.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    detail: 'This path does not support the method. The Allow header lists the supported methods.',
  },
  BODY_TOO_LARGE: { status: 413, detail: 'The body exceeds the size limit of this route.' },
  CONTENT_TYPE_UNSUPPORTED: {
    status: 415,
    detail: 'This route does not accept the content type of the body.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    detail: 'Too many attempts. Retry after the number of seconds in Retry-After.',
  },
  TOO_BUSY: {
    status: 429,
    detail:
      'Too many passwords are being verified right now. Retry after the number of seconds in Retry-After.',
  },
  TOO_MANY_INCOMPLETE_REQUESTS: {
    status: 429,
    detail:
      'Too many incomplete request bodies, most of them from your IP address. Retry after the number of seconds in Retry-After.',
  },
  ...FACTOR_ERRORS,
  ...OAUTH_ERRORS,
  ...UPSTREAM_ERRORS,
  ...MESSAGE_ERRORS,
  INTERNAL: { status: 500, detail: 'Internal error. The request ID identifies the log entry.' },
  UNAVAILABLE: {
    status: 503,
    detail: 'Temporarily unavailable. Retry after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The fields of an error that its body contains, for every form of body. */
export type BodyOptions = Pick<
  FailureOptions,
  'detail' | 'errors' | 'guessesLeft' | 'unknownPasskey'
>;

/** Returns the URL of the page that explains the code. @param docsUrl URL of the documentation, without a trailing slash */
export function docOf(code: ErrorCode, docsUrl: string): string {
  return `${docsUrl}/errors/${code.toLowerCase()}`;
}

/** Returns the body of an error response (SPEC errors). @param docsUrl URL of the documentation */
export function errorBody(
  code: ErrorCode,
  docsUrl: string,
  {
    detail,
    errors,
    flow,
    guessesLeft,
    unknownPasskey,
  }: BodyOptions & Pick<FailureOptions, 'flow'> = {},
): ErrorBody {
  const { status, detail: usual } = ERRORS[code];
  return {
    error: SHORT_NAME[status],
    detail: detail ?? usual,
    code,
    doc: docOf(code, docsUrl),
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...(guessesLeft === undefined ? {} : { guesses_left: guessesLeft }),
    ...(unknownPasskey === undefined ? {} : { unknown_passkey: unknownPasskey }),
    ...(flow === undefined ? {} : { flow }),
  };
}

/** An error with a code from the catalog. */
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
 * Ends a request with one of the error codes that its route declares. A caller of a function that takes a `Fail<C>`
 * must itself declare every code in C, or it does not compile.
 */
export type Fail<Code extends ErrorCode> = (code: Code, options?: FailureOptions) => never;

export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new AppError(code, options);
}
