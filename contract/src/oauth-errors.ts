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
      'The code, the refresh token or the assertion is invalid, expired, already used, or not for this client.',
    oauth: 'invalid_grant',
  },
  AUTHORIZATION_PENDING: {
    status: 400,
    detail: 'The user has not decided yet. Ask again after the interval.',
    oauth: 'authorization_pending',
  },
  SLOW_DOWN: {
    status: 400,
    detail: 'Asked too soon: the interval is 5 seconds longer now.',
    oauth: 'slow_down',
  },
  DEVICE_CODE_EXPIRED: {
    status: 400,
    detail: 'Nobody typed the code in time. Begin again.',
    oauth: 'expired_token',
  },
  DEVICE_DENIED: {
    status: 400,
    detail: 'The user did not allow it, or cannot.',
    oauth: 'access_denied',
  },
  CLIENT_UNAUTHORIZED: {
    status: 400,
    detail: 'This client is not registered for this grant type.',
    oauth: 'unauthorized_client',
  },
  REQUEST_INVALID: {
    status: 400,
    detail:
      'The application sent a request that cannot be answered: it is unknown or inactive, or has not registered the address to return to.',
  },
  OAUTH_OFF: {
    status: 403,
    detail:
      'The setting oauth_enabled of the tenant is off: applications cannot log users in here.',
    oauth: 'unauthorized_client',
  },
  ISSUER_ELSEWHERE: {
    status: 400,
    detail: 'Logins are at the address of the issuer only, and this is another one.',
  },
  RESPONSE_TYPE_UNSUPPORTED: {
    status: 400,
    detail: 'response_type must be code.',
    oauth: 'unsupported_response_type',
  },
  UNMET_AUTHENTICATION: {
    status: 400,
    detail: 'None of the essential values of acr is known.',
    oauth: 'unmet_authentication_requirements',
  },
  SCOPE_INVALID: {
    status: 400,
    detail: 'A requested scope is unknown, or the client does not hold it.',
    oauth: 'invalid_scope',
  },
  TARGET_INVALID: {
    status: 400,
    detail:
      'The resource or the audience is none that this token can be for. With several resources, name one of them.',
    oauth: 'invalid_target',
  },
  AUTHORIZATION_DETAILS_INVALID: {
    status: 400,
    detail:
      'authorization_details must be a JSON list of types that the client may ask for, with the fields of each type: RFC 9396. A token has what the user allowed, and no more.',
    oauth: 'invalid_authorization_details',
  },
  INSUFFICIENT_AUTHORIZATION: {
    status: 400,
    detail: 'The login needs more: needs lists what can be sent next, with auth_session.',
    oauth: 'insufficient_authorization',
  },
  REDIRECT_TO_WEB: {
    status: 400,
    detail: 'This login cannot go on inside the application. Continue in a browser.',
    oauth: 'redirect_to_web',
  },
  AUTH_SESSION_INVALID: {
    status: 400,
    detail:
      'The auth_session is invalid, has ended, or is not of this client and its key. Begin another login.',
    oauth: 'invalid_session',
  },
  DPOP_INVALID: {
    status: 400,
    detail:
      'The DPoP proof is missing, invalid, expired, already used, or not for this request: RFC 9449.',
    oauth: 'invalid_dpop_proof',
  },
  DPOP_NONCE_REQUIRED: {
    status: 400,
    detail: 'The DPoP proof needs the nonce of the header DPoP-Nonce: RFC 9449 §8.',
    oauth: 'use_dpop_nonce',
  },
  REQUEST_OBJECT_INVALID: {
    status: 400,
    detail: 'The request object is not signed by the client, expired, or not for this issuer.',
    oauth: 'invalid_request_object',
  },
  CLIENT_METADATA_INVALID: {
    status: 400,
    detail: 'What the application says of itself is invalid; errors lists each invalid member.',
    oauth: 'invalid_client_metadata',
  },
  REDIRECT_URI_INVALID: {
    status: 400,
    detail: 'An address that users would return to is invalid, or not allowed here.',
    oauth: 'invalid_redirect_uri',
  },
  REGISTRATION_TOKEN_INVALID: {
    status: 401,
    detail:
      'The token is missing, unknown, expired, used up, or not of this application. Which of these is not told.',
    oauth: 'invalid_token',
  },
  REGISTRATION_OFF: {
    status: 403,
    detail:
      'Applications do not register themselves here: oauth_registration of the tenant is off.',
    oauth: 'access_denied',
  },
  REGISTRATION_FULL: {
    status: 403,
    detail:
      'There are as many applications that anybody registered as oauth_max_registered_clients of the tenant allows.',
    oauth: 'access_denied',
  },
  TOO_MANY_REGISTRATION_TOKENS: {
    status: 400,
    detail: 'A tenant has at most 1,000 registration tokens. Delete one of them first.',
  },
  SIGNALS_REFUSED: {
    status: 403,
    detail: 'This client may not receive shared signals. An administrator decides: shared_signals.',
    oauth: 'unauthorized_client',
  },
  TOO_MANY_STREAMS: { status: 400, detail: 'A client has at most five streams of signals.' },
  TOO_MANY_CLIENTS: { status: 400, detail: 'A tenant has at most 20,000 OAuth clients.' },
  RESOURCE_TAKEN: { status: 400, detail: 'There is a resource with this URI.' },
  TOO_MANY_RESOURCES: { status: 400, detail: 'A tenant has at most 100 resources.' },
  TOO_MANY_CLIENT_SECRETS: {
    status: 400,
    detail: 'A client has at most two secrets. Delete one of them first.',
  },
  CLIENT_HAS_NO_SECRET: { status: 400, detail: 'This client does not authenticate by a secret.' },
} as const;
