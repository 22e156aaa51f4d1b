import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { IdentifierRecord } from './user.ts';

/** Marks a string that no log may hold and that only the answer which creates it shows. */
export const SECRET_MARK = 'x-secret';

export function secret(options: Parameters<typeof Type.String>[0] = {}) {
  return Type.String({ ...options, [SECRET_MARK]: true });
}

/** Has the form of a JWT, and is signed by nobody. */
export const EXAMPLE_JWT =
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImV4YW1wbGUifQ.eyJzdWIiOiJ1c2VyOjAxbTgxN3FubTBlNTk5YnphOHlxaDYza3hxIn0.c2lnbmF0dXJl';
const EXAMPLE_DEVICE_TOKEN = 'ZGV2aWNl.c2lnbmF0dXJl';

/** A token as a request carries it; 8 KiB is far above anything the service issues. */
export function presentedToken(description: string) {
  return secret({ minLength: 1, maxLength: 8192, description, examples: [EXAMPLE_JWT] });
}

const BearerType = Type.Literal('Bearer', { description: 'How the token is sent (RFC 6750).' });

export const TokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.', examples: [EXAMPLE_JWT] }),
    refresh_token: secret({
      description: 'A signed JWT; good for one use.',
      examples: [EXAMPLE_JWT],
    }),
    token_type: BearerType,
    expires_in: Type.Integer({
      description: 'Seconds that the access token lives.',
      examples: [3600],
    }),
    user: Type.Object(
      {
        id: UserIdSchema,
        tenant_id: TenantIdSchema,
        identifiers: Type.Array(IdentifierRecord, { description: 'All that the user has.' }),
      },
      { description: 'Who logged in.' },
    ),
  },
  { $id: 'TokenAnswer', description: 'What a refresh answers.' },
);
export type TokenAnswer = Static<typeof TokenAnswer>;

/** What a device shows at its next login; it is a few hundred bytes long. */
export const PresentedDeviceToken = secret({
  minLength: 1,
  maxLength: 1024,
  description: 'From an earlier login of the user on this device.',
  examples: [EXAMPLE_DEVICE_TOKEN],
});

export const LoginAnswer = Type.Object(
  {
    ...TokenAnswer.properties,
    device_token: secret({
      description: 'For the next login of this user from this device; good for 90 days.',
      examples: [EXAMPLE_DEVICE_TOKEN],
    }),
  },
  { $id: 'LoginAnswer', description: 'What a login answers.' },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

export const ImpersonationAnswer = Type.Object(
  {
    access_token: secret({
      description: 'A signed JWT for the other tenant.',
      examples: [EXAMPLE_JWT],
    }),
    token_type: BearerType,
    expires_in: Type.Integer({ description: 'Seconds; 900 at the most.', examples: [900] }),
    tenant_id: TenantIdSchema,
  },
  { $id: 'ImpersonationAnswer', description: 'A token to work inside another tenant.' },
);

/** RFC 6749 §5.1; RFC 8693 §2.2.1 for `issued_token_type`. */
export const ClientTokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.', examples: [EXAMPLE_JWT] }),
    token_type: BearerType,
    expires_in: Type.Integer({
      description: 'Seconds that the access token lives.',
      examples: [3600],
    }),
    scope: Type.String({
      description: 'The scopes of the token, joined by spaces.',
      examples: ['read:users read:sessions'],
    }),
    issued_token_type: Type.Optional(
      Type.String({
        description: 'After an exchange: that it is an access token.',
        examples: ['urn:ietf:params:oauth:token-type:access_token'],
      }),
    ),
  },
  { $id: 'ClientTokenAnswer', description: 'What the token endpoint answers.' },
);
export type ClientTokenAnswer = Static<typeof ClientTokenAnswer>;
