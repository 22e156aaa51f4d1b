/** Error codes of the token endpoint and of OAuth clients, part of ERRORS. */
export const OAUTH_ERRORS = {
  GRANT_TYPE_UNSUPPORTED: {
    status: 400,
    detail:
      'grant_type must be authorization_code, refresh_token, urn:ietf:params:oauth:grant-type:device_code, client_credentials, urn:ietf:params:oauth:grant-type:token-exchange or urn:ietf:params:oauth:grant-type:jwt-bearer.',
    oauth: 'unsupported_grant_type',
  },
  GRANT_INVALID: {
    status: 400,
    detail:
      'The code, refresh token or assertion is invalid, expired, already used or issued to another client.',
    oauth: 'invalid_grant',
  },
  AUTHORIZATION_PENDING: {
    status: 400,
    detail: 'The user has not approved or denied the request yet. Retry after the interval.',
    oauth: 'authorization_pending',
  },
  SLOW_DOWN: {
    status: 400,
    detail: 'You are polling too fast. The interval is now 5 seconds longer.',
    oauth: 'slow_down',
  },
  DEVICE_CODE_EXPIRED: {
    status: 400,
    detail: 'The code expired before the user entered it. Start again.',
    oauth: 'expired_token',
  },
  DEVICE_DENIED: {
    status: 400,
    detail: 'The user denied the request or is not allowed to approve it.',
    oauth: 'access_denied',
  },
  CLIENT_UNAUTHORIZED: {
    status: 400,
    detail: 'The client is not registered for this grant type.',
    oauth: 'unauthorized_client',
  },
  REQUEST_INVALID: {
    status: 400,
    detail:
      'The request is invalid. The application is unknown or inactive, or this redirect URI is not registered for it.',
  },
  OAUTH_OFF: {
    status: 403,
    detail: 'Applications cannot log users in here because oauth_enabled is off for this tenant.',
    oauth: 'unauthorized_client',
  },
  ISSUER_ELSEWHERE: {
    status: 400,
    detail: 'Users sign in only at the issuer URL. This request was sent to a different URL.',
  },
  RESPONSE_TYPE_UNSUPPORTED: {
    status: 400,
    detail: 'response_type must be code.',
    oauth: 'unsupported_response_type',
  },
  UNMET_AUTHENTICATION: {
    status: 400,
    detail: 'None of the essential acr values is supported.',
    oauth: 'unmet_authentication_requirements',
  },
  SCOPE_INVALID: {
    status: 400,
    detail: 'A requested scope is unknown or not assigned to the client.',
    oauth: 'invalid_scope',
  },
  TARGET_INVALID: {
    status: 400,
    detail:
      'Tokens cannot be issued for this resource or audience. If you named several resources, name only one.',
    oauth: 'invalid_target',
  },
  AUTHORIZATION_DETAILS_INVALID: {
    status: 400,
    detail:
      'authorization_details must be a JSON array of types that the client is allowed to request, with the fields of each type (RFC 9396). A token cannot have more than the user approved.',
    oauth: 'invalid_authorization_details',
  },
  INSUFFICIENT_AUTHORIZATION: {
    status: 400,
    detail:
      'The login requires another step. needs lists the possible next steps. Send one of them with auth_session.',
    oauth: 'insufficient_authorization',
  },
  REDIRECT_TO_WEB: {
    status: 400,
    detail: 'This login cannot continue in the application. Continue in a browser.',
    oauth: 'redirect_to_web',
  },
  AUTH_SESSION_INVALID: {
    status: 400,
    detail:
      'The auth_session is invalid, has ended, or belongs to another client or key. Start a new login.',
    oauth: 'invalid_session',
  },
  DPOP_INVALID: {
    status: 400,
    detail:
      'The DPoP proof is missing, invalid, expired, already used or not for this request (RFC 9449).',
    oauth: 'invalid_dpop_proof',
  },
  DPOP_NONCE_REQUIRED: {
    status: 400,
    detail: 'The DPoP proof must contain the nonce from the DPoP-Nonce header (RFC 9449 §8).',
    oauth: 'use_dpop_nonce',
  },
  REQUEST_OBJECT_INVALID: {
    status: 400,
    detail:
      'The request object is not signed by the client, has expired or is not for this issuer.',
    oauth: 'invalid_request_object',
  },
  CLIENT_METADATA_INVALID: {
    status: 400,
    detail: 'The client metadata is invalid. errors lists each invalid member.',
    oauth: 'invalid_client_metadata',
  },
  REDIRECT_URI_INVALID: {
    status: 400,
    detail: 'A redirect URI is invalid or not allowed here.',
    oauth: 'invalid_redirect_uri',
  },
  REGISTRATION_TOKEN_INVALID: {
    status: 401,
    detail:
      'The token is missing, unknown, expired, used up or issued to another application. The response does not reveal which.',
    oauth: 'invalid_token',
  },
  REGISTRATION_OFF: {
    status: 403,
    detail:
      'Applications cannot register themselves because oauth_registration is off for this tenant.',
    oauth: 'access_denied',
  },
  REGISTRATION_FULL: {
    status: 403,
    detail:
      'The tenant has reached oauth_max_registered_clients, the limit for openly registered applications.',
    oauth: 'access_denied',
  },
  TOO_MANY_REGISTRATION_TOKENS: {
    status: 400,
    detail: 'A tenant can have at most 1,000 registration tokens. Delete one first.',
  },
  SIGNALS_REFUSED: {
    status: 403,
    detail:
      'This client is not allowed to receive shared signals. An administrator can allow it with shared_signals.',
    oauth: 'unauthorized_client',
  },
  TOO_MANY_STREAMS: { status: 400, detail: 'A client can have at most five streams of signals.' },
  TOO_MANY_CLIENTS: { status: 400, detail: 'A tenant can have at most 20,000 OAuth clients.' },
  RESOURCE_TAKEN: { status: 400, detail: 'A resource with this URI already exists.' },
  TOO_MANY_RESOURCES: { status: 400, detail: 'A tenant can have at most 100 resources.' },
  TOO_MANY_CLIENT_SECRETS: {
    status: 400,
    detail: 'A client can have at most two secrets. Delete one first.',
  },
  CLIENT_HAS_NO_SECRET: { status: 400, detail: 'This client does not authenticate with a secret.' },
} as const;
