import { AuthorizationDetails } from './authorization-details.ts';
import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { Identifiers } from './user.ts';

/** Marks a secret string, which is never logged and is shown only in the response that creates it. */
export const SECRET_MARK = 'x-secret';

export function secret(options: Parameters<typeof Type.String>[0] = {}) {
  return Type.String({ ...options, [SECRET_MARK]: true });
}

/** Formatted like a JWT, but without a valid signature. */
export const EXAMPLE_JWT =
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImV4YW1wbGUifQ.eyJzdWIiOiJ1c2VyOjAxbTgxN3FubTBlNTk5YnphOHlxaDYza3hxIn0.c2lnbmF0dXJl';
const EXAMPLE_REFRESH_TOKEN = 'rft_bWFjIGFuZCBjbGFpbXM';
const EXAMPLE_DEVICE_TOKEN = 'ZGV2aWNl.c2lnbmF0dXJl';

/** A token in a request. 8 KiB is far more than any token of the service. */
export function presentedToken(description: string) {
  return secret({ minLength: 1, maxLength: 8192, description, examples: [EXAMPLE_JWT] });
}

const BearerType = Type.Literal('Bearer', { description: 'How the token is sent (RFC 6750).' });

/** RFC 9449 §5. */
export const TokenType = Type.Enum(['Bearer', 'DPoP'], {
  description:
    'How the token is sent: `Bearer` (RFC 6750), or `DPoP` with a proof signed with the key that the token is bound to (RFC 9449).',
  examples: ['Bearer'],
});

export const TokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.', examples: [EXAMPLE_JWT] }),
    refresh_token: secret({
      description: 'A signed JWT. Can be used once.',
      examples: [EXAMPLE_JWT],
    }),
    token_type: BearerType,
    expires_in: Type.Integer({
      description: 'Lifetime of the access token, in seconds.',
      examples: [3600],
    }),
    user: Type.Object(
      {
        id: UserIdSchema,
        tenant_id: TenantIdSchema,
        identifiers: Identifiers,
      },
      { description: 'The user who signed in.' },
    ),
  },
  { $id: 'TokenAnswer', description: 'The response to a refresh.' },
);
export type TokenAnswer = Static<typeof TokenAnswer>;

/** Identifies a device at its next login; a few hundred bytes long. */
export const PresentedDeviceToken = secret({
  minLength: 1,
  maxLength: 1024,
  description: 'The device token from the user’s earlier login on this device.',
  examples: [EXAMPLE_DEVICE_TOKEN],
});

export const LoginAnswer = Type.Object(
  {
    ...TokenAnswer.properties,
    device_token: secret({
      description: 'Device token for the user’s next login on this device. Valid for 90 days.',
      examples: [EXAMPLE_DEVICE_TOKEN],
    }),
  },
  { $id: 'LoginAnswer', description: 'The response to a login.' },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

export const ImpersonationAnswer = Type.Object(
  {
    access_token: secret({
      description: 'A signed JWT for the other tenant.',
      examples: [EXAMPLE_JWT],
    }),
    token_type: BearerType,
    expires_in: Type.Integer({ description: 'Lifetime in seconds, at most 900.', examples: [900] }),
    tenant_id: TenantIdSchema,
  },
  { $id: 'ImpersonationAnswer', description: 'A token to act inside another tenant.' },
);

/** RFC 6749 §5.1; RFC 8693 §2.2.1 for `issued_token_type`. */
export const ClientTokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.', examples: [EXAMPLE_JWT] }),
    token_type: Type.Enum(['Bearer', 'DPoP', 'N_A'], {
      description:
        'How the token is sent. `N_A`: the token is not an access token (RFC 8693 §2.2.1).',
      examples: ['Bearer'],
    }),
    expires_in: Type.Integer({
      description: 'Lifetime of the token, in seconds.',
      examples: [3600],
    }),
    scope: Type.String({
      description: 'Scopes of the token, separated by spaces.',
      examples: ['read:users read:sessions'],
    }),
    refresh_token: Type.Optional(
      secret({
        description:
          'For applications that are allowed to refresh: an opaque token that starts with `rft_`. Can be used once.',
        examples: [EXAMPLE_REFRESH_TOKEN],
      }),
    ),
    id_token: Type.Optional(
      secret({
        description:
          'For applications with the scope `openid`: who signed in, and how (OpenID Connect Core §2).',
        examples: [EXAMPLE_JWT],
      }),
    ),
    authorization_details: Type.Optional(AuthorizationDetails),
    issued_token_type: Type.Optional(
      Type.String({
        description: 'After an exchange: an access token or an identity assertion.',
        examples: ['urn:ietf:params:oauth:token-type:access_token'],
      }),
    ),
  },
  { $id: 'ClientTokenAnswer', description: 'The response of the token endpoint.' },
);
export type ClientTokenAnswer = Static<typeof ClientTokenAnswer>;
