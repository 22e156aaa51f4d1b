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
    description: 'A grant type.',
    examples: ['authorization_code'],
  }),
  {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'Grant types that the client can use.',
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
      description: 'A grant type.',
      examples: ['authorization_code'],
    },
  ),
  {
    minItems: 1,
    maxItems: 6,
    uniqueItems: true,
    description:
      'Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals.',
  },
);
