/** Error codes of logins at identity providers, part of ERRORS. */
export const UPSTREAM_ERRORS = {
  TOO_MANY_IDENTITY_PROVIDERS: {
    status: 400,
    detail: 'A tenant can have at most 50 identity providers.',
  },
  PROVIDER_NOT_TESTED: {
    status: 400,
    detail:
      'No test login has succeeded with these settings of the provider. Test it first, disable it, or send skip_test=true.',
  },
  RETURN_URL_UNKNOWN: {
    status: 400,
    detail: 'return_url is not one of the return_urls of the tenant.',
  },
  IDENTITY_TAKEN: {
    status: 400,
    detail:
      'This identity belongs to another user, or the user already has another identity at this provider.',
  },
  LAST_LOGIN_METHOD: {
    status: 400,
    detail: 'This is the last way to sign in. Add another one first.',
  },
  PROVIDER_REFUSED: {
    status: 401,
    detail: 'The identity provider did not confirm the login or cannot be used. Start again.',
  },
  DOMAIN_OF_OTHER_PROVIDER: {
    status: 400,
    detail: 'Another identity provider of this tenant has this domain. Remove it there first.',
  },
  DOMAIN_NOT_PROVEN: {
    status: 400,
    detail: 'The DNS record was not found. New records can take hours to propagate.',
  },
} as const;
