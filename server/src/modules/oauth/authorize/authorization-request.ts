import type { Acr } from '@keywright/contract/authentication';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { PendingDevice, PushedRequestUse } from '../grants/index.ts';
import type { Resource, TargetId, TenantResources } from '../resources/index.ts';

/** The fields of a client against which its authorization requests are checked. */
export type RequestingClient = Pick<
  OAuthClientRecord,
  | 'id'
  | 'kind'
  | 'first_party'
  | 'redirect_uris'
  | 'grant_types'
  | 'scopes'
  | 'token_endpoint_auth_method'
  | 'is_active'
  | 'default_max_age'
  | 'authorization_details_types'
  | 'require_pkce'
  | 'id_token_signed_response_alg'
>;

/** The tenant's rules for a request. */
export interface RequestPolicy {
  /** Whether the client must use PKCE, regardless of its registration. */
  readonly mustUsePkce: boolean;
  /** The tenant itself, which requests can name as a target. */
  readonly tenant: Pick<Tenant, 'audience' | 'issuer'>;
  /** The other possible targets of access tokens (RFC 8707). */
  readonly resources: TenantResources;
  /** Whether the client must push the request (RFC 9126). */
  readonly mustBePushed: boolean;
  /** Whether the user logs in inside the client's app, so that no redirect URI is needed. */
  readonly isInApp?: boolean;
  /** An error found before the parameters were read. */
  readonly objection?: Rejection | undefined;
}

export type ResponseMode = 'query' | 'form_post';

/** The destination of a response: a redirect URI of the client. */
export interface ResponseTarget {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
  /** How the response is signed; undefined if it is not signed. */
  readonly signedFor?: { readonly clientId: OAuthClientId; readonly algorithm: KeyAlgorithm };
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** Supported claims that were requested by name, and whether each is essential (OpenID Connect Core §5.5). */
export type RequestedClaims = Readonly<Record<string, { readonly essential: boolean }>>;

/** A valid request, which leads to a code after the user has logged in and consented. */
export interface AuthorizationRequest extends ResponseTarget {
  readonly clientId: OAuthClientId;
  /** The requested scopes that the client is allowed to request. Never empty. */
  readonly scopes: readonly string[];
  /** The targets of the requested access tokens. If empty, the tenant itself is the only target. */
  readonly targets: readonly TargetId[];
  /** The authorization details (RFC 9396), if any. */
  readonly details?: readonly AuthorizationDetail[];
  readonly nonce: string | undefined;
  /** SHA-256 of the code verifier, in base64url (RFC 7636 §4.2). */
  readonly challenge: string | undefined;
  /** Thumbprint of the key that the code is bound to (RFC 9449 §10). */
  readonly jkt?: string;
  readonly prompts: readonly Prompt[];
  /** Maximum number of seconds since the user authenticated. */
  readonly maxAge: number | undefined;
  /** Sufficient levels, best first. If empty, any level is sufficient. */
  readonly acrValues: readonly Acr[];
  readonly claims: { readonly idToken: RequestedClaims; readonly userinfo: RequestedClaims };
  readonly loginHint: string | undefined;
  /** An unverified ID token. */
  readonly idTokenHint: string | undefined;
  readonly uiLocales: readonly string[];
  /** The pushed request that is used up by the code, if there is one. */
  readonly pushed?: PushedRequestUse;
  /** The user logs in inside the client's app, and there is no redirect. */
  readonly inApp?: true;
  /** ID of the test login whose page gets the response, instead of a redirect URI of the client. */
  readonly test?: string;
  /** The device that started the login and gets the response, instead of a redirect URI (RFC 8628). */
  readonly device?: RequestingDevice;
}

/** A device that is waiting for the response. */
export interface RequestingDevice {
  readonly id: PendingDevice['id'];
  /** The user code in the form that the device shows. */
  readonly userCode: string;
  /** The network address of the device. */
  readonly address: string;
  /** When the device sent its request, in seconds since 1970. */
  readonly startedAt: number;
}

/** A request that requires nothing of the login. */
export const PLAIN_REQUEST = {
  responseMode: 'query',
  targets: [],
  state: undefined,
  nonce: undefined,
  challenge: undefined,
  prompts: [],
  maxAge: undefined,
  acrValues: [],
  claims: { idToken: {}, userinfo: {} },
  loginHint: undefined,
  idTokenHint: undefined,
  uiLocales: [],
} as const satisfies Partial<AuthorizationRequest>;

type PlainName = keyof typeof PLAIN_REQUEST;

/** A request without the fields that equal those of `PLAIN_REQUEST`: each form of the login page contains it, sealed. */
export type ShortRequest = Omit<AuthorizationRequest, PlainName> &
  Partial<Pick<AuthorizationRequest, PlainName>>;

export function shortened(request: AuthorizationRequest): object {
  const plain: Readonly<Record<string, unknown>> = PLAIN_REQUEST;
  const fields = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain[name]),
  );
  return Object.fromEntries(fields);
}

export function completed(request: ShortRequest): AuthorizationRequest {
  return { ...PLAIN_REQUEST, ...request };
}

/**
 * Errors that are reported to the client (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC 8707 §2, RFC 9101 §7,
 * RFC 9470 §4).
 */
export type AuthorizationError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_authorization_details'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'account_selection_required'
  | 'request_not_supported'
  | 'invalid_request_object'
  | 'request_uri_not_supported'
  | 'invalid_request_uri'
  | 'registration_not_supported'
  | 'unmet_authentication_requirements';

/** An error of a request. The description never repeats any part of the request. */
export interface Rejection {
  readonly error: AuthorizationError;
  readonly description: string;
}

/** RFC 6749 §4.1.2.1. */
export function invalidRequest(description: string): Rejection {
  return { error: 'invalid_request', description };
}

/** Thrown by a rule that the request violates, and caught by `applyRules`. */
export class RequestRejected extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.error);
    this.rejection = rejection;
  }
}

/** @returns the result of the rules, or the rejection by the first rule that the request violates */
export function applyRules<Result extends object>(rules: () => Result): Result | Rejection {
  try {
    return rules();
  } catch (error) {
    if (error instanceof RequestRejected) return error.rejection;
    throw error;
  }
}

/** The result of checking a request. */
export type Verdict =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  /** The error is reported to the client. */
  | { readonly kind: 'rejected'; readonly target: ResponseTarget; readonly rejection: Rejection }
  /** The error is shown only to the user, because the redirect URI cannot be trusted (RFC 6749 §4.1.2.1). */
  | {
      readonly kind: 'untrusted';
      readonly reason: UntrustedReason;
      /** An explanation for the developers of the client. */
      readonly detail?: string;
    };

export type UntrustedReason =
  | 'client_unknown'
  | 'document_unusable'
  | 'redirect_uri_unknown'
  | 'parameter_repeated'
  | 'request_uri_unknown';

/** The existing targets of access tokens. */
export interface ExistingTargets {
  /** Whether the tenant itself is a target. */
  readonly includesTenant: boolean;
  readonly resources: readonly Resource[];
}
