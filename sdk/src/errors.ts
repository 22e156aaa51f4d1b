import type { Freshness } from '../../contract/src/assurance.ts';
import type { DpopError } from '../../contract/src/dpop.ts';
import { challengeOf, type ResourceChallenge } from './challenge.ts';

/**
 * The error code of a protected service:
 * - `TOKEN_INVALID` (401): the token is missing or invalid;
 * - `TENANT_MISMATCH` (401): the token belongs to another tenant;
 * - `STEP_UP_REQUIRED` (401): the user must sign in again, or with a second factor (RFC 9470);
 * - `SCOPE_REQUIRED` (403): the token lacks a scope;
 * - `AGENT_REQUIRED` (403): only agents are permitted;
 * - `UNAVAILABLE` (503): the token cannot be verified at the moment.
 */
export type VerificationCode =
  | 'TOKEN_INVALID'
  | 'TENANT_MISMATCH'
  | 'STEP_UP_REQUIRED'
  | 'SCOPE_REQUIRED'
  | 'AGENT_REQUIRED'
  | 'UNAVAILABLE';

/**
 * Why a token was rejected, for logs and metrics. The response omits the reason, so that an attacker learns no
 * details.
 */
export type RefusalReason =
  | 'missing'
  | 'malformed'
  | 'api_key'
  | 'api_key_inactive'
  | 'key_unknown'
  | 'signature'
  | 'claims'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'revoked'
  | 'status_missing'
  | 'status_foreign'
  | 'issuer_closed'
  | 'tenant'
  | 'login'
  | 'scope'
  | 'not_an_agent'
  | 'bound'
  | 'not_bound'
  | 'unbound'
  | 'proof'
  | 'proof_key'
  | 'proof_used'
  | 'proofs_full'
  | 'keys_unavailable'
  | 'api_keys_unavailable'
  | 'status_unavailable'
  | 'status_stale';

const REFUSALS: Readonly<Record<RefusalReason, readonly [VerificationCode, message: string]>> = {
  missing: [
    'TOKEN_INVALID',
    'The request has no Authorization header of the form "Bearer <token>".',
  ],
  malformed: ['TOKEN_INVALID', 'Expected an access token of Keywright: a JWT with typ at+jwt.'],
  api_key: [
    'TOKEN_INVALID',
    'Expected an access token, got an API key: exchange it at POST /auth/token, or pass apiKeys.',
  ],
  api_key_inactive: ['TOKEN_INVALID', 'The API key is unknown, expired or revoked.'],
  key_unknown: ['TOKEN_INVALID', "The token's signing key (kid) is not in the issuer's key set."],
  signature: ['TOKEN_INVALID', 'The signature does not match the token.'],
  claims: ['TOKEN_INVALID', 'A required claim is missing or has the wrong type.'],
  issuer: ['TOKEN_INVALID', 'The token was issued by another issuer (iss).'],
  audience: ['TOKEN_INVALID', 'The token is for another audience (aud).'],
  expired: ['TOKEN_INVALID', 'The token has expired.'],
  not_yet_valid: ['TOKEN_INVALID', 'The token was issued in the future (iat): check the clocks.'],
  revoked: ['TOKEN_INVALID', 'The token was revoked.'],
  status_missing: [
    'TOKEN_INVALID',
    'The token has no status claim, and withoutStatus is "refuse".',
  ],
  status_foreign: [
    'TOKEN_INVALID',
    'The status claim points outside the status lists of its issuer.',
  ],
  issuer_closed: ['TOKEN_INVALID', 'The tenant is inactive or deleted.'],
  tenant: ['TENANT_MISMATCH', 'The token belongs to another tenant (tenant_id).'],
  login: ['STEP_UP_REQUIRED', 'The login of the user is too old or too weak.'],
  scope: ['SCOPE_REQUIRED', 'The token lacks a scope.'],
  not_an_agent: ['AGENT_REQUIRED', 'The token does not belong to an agent (service account).'],
  bound: [
    'TOKEN_INVALID',
    'The token is bound to a key (cnf): it requires the DPoP scheme with a proof, and a verifier with the dpop option.',
  ],
  not_bound: ['TOKEN_INVALID', 'The scheme is DPoP, but the token is not bound to a key (cnf).'],
  unbound: ['TOKEN_INVALID', 'The resource accepts only tokens that are bound to a key (cnf).'],
  proof: [
    'TOKEN_INVALID',
    'The DPoP proof is missing, malformed, too old, or for another request.',
  ],
  proof_key: [
    'TOKEN_INVALID',
    'The DPoP proof was signed with a different key than the token requires (cnf).',
  ],
  proof_used: ['TOKEN_INVALID', 'The DPoP proof was already used.'],
  proofs_full: [
    'UNAVAILABLE',
    'Too many DPoP proofs within two minutes: track them with isNew in a shared store.',
  ],
  keys_unavailable: ['UNAVAILABLE', 'The key set could not be fetched.'],
  api_keys_unavailable: [
    'UNAVAILABLE',
    'The service did not report whether the API key is active.',
  ],
  status_unavailable: ['UNAVAILABLE', 'The status list could not be fetched.'],
  status_stale: ['UNAVAILABLE', 'The last known status list is older than maxStaleSeconds.'],
};

interface Answer {
  readonly httpStatus: 401 | 403 | 503;
  readonly error: string;
  readonly detail: string;
}

const ANSWERS: Readonly<Record<VerificationCode, Answer>> = {
  TOKEN_INVALID: {
    httpStatus: 401,
    error: 'Unauthorized',
    detail: 'The token is missing, malformed, expired or revoked.',
  },
  TENANT_MISMATCH: {
    httpStatus: 401,
    error: 'Unauthorized',
    detail: 'The token belongs to another tenant.',
  },
  STEP_UP_REQUIRED: {
    httpStatus: 401,
    error: 'Unauthorized',
    detail: 'This requires a more recent or stronger login. See WWW-Authenticate.',
  },
  SCOPE_REQUIRED: {
    httpStatus: 403,
    error: 'Forbidden',
    detail: 'The token does not have a scope that this route requires.',
  },
  AGENT_REQUIRED: { httpStatus: 403, error: 'Forbidden', detail: 'Only agents may do this.' },
  UNAVAILABLE: {
    httpStatus: 503,
    error: 'Service Unavailable',
    detail: 'Temporarily unavailable. Retry after the number of seconds in Retry-After.',
  },
};

/** RFC 9449 §7.1. */
const DPOP_ERRORS: Readonly<Partial<Record<RefusalReason, DpopError>>> = {
  bound: 'invalid_token',
  not_bound: 'invalid_token',
  unbound: 'invalid_token',
  proof: 'invalid_dpop_proof',
  proof_key: 'invalid_token',
  proof_used: 'invalid_dpop_proof',
};

/** The `Retry-After` in seconds when a token cannot be verified. */
const RETRY_AFTER_SECONDS = 5;

interface RefusalOptions {
  readonly missingScopes?: readonly string[];
  readonly heldScopes?: readonly string[];
  readonly stepUp?: Freshness | undefined;
  readonly resource?: ResourceChallenge;
  readonly cause?: unknown;
}

/** A rejected token, or a caller without permission. */
export class VerificationError extends Error {
  /** A stable code, which the response contains. */
  readonly code: VerificationCode;
  /** A stable, more specific reason, for logs and metrics. */
  readonly reason: RefusalReason;
  /** 401, 403 or 503. */
  readonly httpStatus: 401 | 403 | 503;
  /** The explanation in the response; `message` is more specific, and for logs. */
  readonly detail: string;
  /** The missing scopes; empty unless the code is `SCOPE_REQUIRED`. */
  readonly missingScopes: readonly string[];
  /** The scopes of the token; empty unless the code is `SCOPE_REQUIRED` or `STEP_UP_REQUIRED`. */
  readonly heldScopes: readonly string[];
  /** The requirements that the login does not meet; undefined unless the code is `STEP_UP_REQUIRED`. */
  readonly stepUp: Freshness | undefined;
  /** The parameters that a protected resource adds to the challenge, if it rejected the token. */
  readonly resource: ResourceChallenge | undefined;

  constructor(reason: RefusalReason, options: RefusalOptions = {}) {
    const [code, message] = REFUSALS[reason];
    const { missingScopes = [], heldScopes = [], stepUp, resource, cause } = options;
    super(message, { cause });
    this.name = 'VerificationError';
    this.code = code;
    this.reason = reason;
    this.httpStatus = ANSWERS[code].httpStatus;
    this.missingScopes = missingScopes;
    this.heldScopes = heldScopes;
    this.stepUp = stepUp;
    this.resource = resource;
    this.detail =
      missingScopes.length === 0
        ? ANSWERS[code].detail
        : `The token lacks ${missingScopes.join(', ')}.`;
  }

  /**
   * The value of the header `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1, RFC 9470 §3, RFC 9728 §5.1); undefined
   * for 503.
   */
  get wwwAuthenticate(): string | undefined {
    const { httpStatus: status, reason, stepUp, missingScopes, resource } = this;
    if (status === 503) return undefined;
    const isMissing = reason === 'missing';
    const dpopError = DPOP_ERRORS[reason];
    return challengeOf({ status, isMissing, dpopError, stepUp, missingScopes, resource });
  }
}

/** The response to a rejected request. */
export interface RefusalAnswer {
  readonly status: 401 | 403 | 503;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `{error, detail, code}`, the same format as Keywright's own errors. */
  readonly body: {
    readonly error: string;
    readonly detail: string;
    readonly code: VerificationCode;
  };
}

/**
 * The specified response, for frameworks without an adapter: status, `WWW-Authenticate` (401, 403) or `Retry-After`
 * (503), and the body `{error, detail, code}`.
 */
export function refusalAnswer(refusal: VerificationError): RefusalAnswer {
  const { code, detail, httpStatus, wwwAuthenticate } = refusal;
  return {
    status: httpStatus,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(wwwAuthenticate === undefined ? {} : { 'www-authenticate': wwwAuthenticate }),
      ...(httpStatus === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
    },
    body: { error: ANSWERS[code].error, detail, code },
  };
}
