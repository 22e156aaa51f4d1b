import Type from 'typebox';

/** What a tenant is for applications that log users in. */
export const OAUTH_CONFIG = {
  oauth_enabled: Type.Boolean({
    default: true,
    description:
      'Whether applications can log users in: whether the tenant is an OpenID provider. Off: OAuth clients are refused with `OAUTH_OFF`, their sessions are kept, and agents get tokens as before.',
    examples: [true],
  }),
  oauth_pkce: Type.Enum(['all', 'public'], {
    default: 'all',
    description:
      'Which applications have to use PKCE (RFC 7636): `all`, as OAuth 2.1 says, or only `public` ones, as OpenID Connect does.',
    examples: ['all'],
  }),
  oauth_require_pushed_requests: Type.Boolean({
    default: false,
    description:
      'Whether all applications have to push their authorization requests (RFC 9126), and not those alone that are registered so.',
    examples: [false],
  }),
  oauth_dpop_nonces: Type.Boolean({
    default: false,
    description:
      'Whether DPoP proofs need a nonce of the service, which changes every minute (RFC 9449 §8): proofs made in advance are worthless. Clients are told it in the header `DPoP-Nonce`.',
    examples: [false],
  }),
  oauth_consent: Type.Enum(['once', 'always'], {
    default: 'once',
    description:
      'Whether users are asked for their consent `once`, and again for what is new, or `always` when they log in to an application. First-party applications need none.',
    examples: ['once'],
  }),
};
