import Type from 'typebox';

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8693 §2.1. */
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** RFC 7523 §2.1. */
export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * The grant types that clients can register for themselves. The others go beyond a user's login, so administrators
 * decide about them.
 */
export const LoginGrantTypes = Type.Array(
  Type.Enum(['authorization_code', 'refresh_token', DEVICE_GRANT], {
    description: 'A way to get tokens.',
    examples: ['authorization_code'],
  }),
  {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'Grant types that the client may use.',
  },
);

export const GrantTypes = Type.Array(
  Type.Enum(
    [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      DEVICE_GRANT,
      EXCHANGE_GRANT,
      ASSERTION_GRANT,
    ],
    {
      description: 'A way to get tokens.',
      examples: ['authorization_code'],
    },
  ),
  {
    minItems: 1,
    maxItems: 6,
    uniqueItems: true,
    description:
      'Grant types that the client may use; `client_credentials`: tokens without a user, for its streams of shared signals.',
  },
);
