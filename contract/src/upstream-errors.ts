/** Error codes of logins at identity providers, part of ERRORS. */
export const UPSTREAM_ERRORS = {
  TOO_MANY_IDENTITY_PROVIDERS: { status: 400, detail: 'A tenant has at most 50 providers.' },
  PROVIDER_NOT_TESTED: {
    status: 400,
    detail:
      'No test login with these settings of the provider was accepted. Test it first, disable it, or send skip_test=true.',
  },
  RETURN_URL_UNKNOWN: {
    status: 400,
    detail: 'return_url is not one of the return_urls of the tenant.',
  },
  IDENTITY_TAKEN: {
    status: 400,
    detail: 'This identity is another user’s, or the user has another one at this provider.',
  },
  LAST_LOGIN_METHOD: {
    status: 400,
    detail: 'This is the last way to log in. Add another one first.',
  },
  PROVIDER_REFUSED: {
    status: 401,
    detail: 'The identity provider did not confirm the login, or cannot be used. Start again.',
  },
  DOMAIN_OF_OTHER_PROVIDER: {
    status: 400,
    detail: 'Another identity provider of this tenant has this domain. Remove it there first.',
  },
  DOMAIN_NOT_PROVEN: {
    status: 400,
    detail: 'The DNS record was not found. It can take hours until a new one is seen everywhere.',
  },
} as const;
