/** Codes of the token endpoint and of OAuth clients, as in ERRORS. */
export const OAUTH_ERRORS = {
  GRANT_TYPE_UNSUPPORTED: {
    status: 400,
    detail:
      'grant_type must be client_credentials, urn:ietf:params:oauth:grant-type:token-exchange or urn:ietf:params:oauth:grant-type:jwt-bearer.',
    oauth: 'unsupported_grant_type',
  },
  GRANT_INVALID: {
    status: 400,
    detail: 'The assertion is invalid, already used, or not trusted by this client.',
    oauth: 'invalid_grant',
  },
  SCOPE_INVALID: {
    status: 400,
    detail: 'A requested scope is unknown, or the client does not hold it.',
    oauth: 'invalid_scope',
  },
  TARGET_INVALID: {
    status: 400,
    detail: 'Tokens of this tenant are issued for its own audience only.',
    oauth: 'invalid_target',
  },
  TOO_MANY_CLIENTS: { status: 400, detail: 'A tenant has at most 20,000 OAuth clients.' },
  TOO_MANY_CLIENT_SECRETS: {
    status: 400,
    detail: 'A client has at most two secrets. Delete one of them first.',
  },
  CLIENT_HAS_NO_SECRET: { status: 400, detail: 'This client does not authenticate by a secret.' },
} as const;
