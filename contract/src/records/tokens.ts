import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { IdentifierRecord } from './user.ts';

/** Marks a string that no log may hold and that only the answer which creates it shows. */
export const SECRET_MARK = 'x-secret';

export function secret(options: Parameters<typeof Type.String>[0] = {}) {
  return Type.String({ ...options, [SECRET_MARK]: true });
}

/** A token as a request carries it; 8 KiB is far above anything the service issues. */
export const PresentedToken = secret({ minLength: 1, maxLength: 8192 });

export const TokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.' }),
    refresh_token: secret({ description: 'A signed JWT; good for one use.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds that the access token lives.' }),
    user: Type.Object({
      id: UserIdSchema,
      tenant_id: TenantIdSchema,
      identifiers: Type.Array(IdentifierRecord),
    }),
  },
  { $id: 'TokenAnswer', description: 'What a refresh answers.' },
);
export type TokenAnswer = Static<typeof TokenAnswer>;

/** What a device shows at its next login; it is a few hundred bytes long. */
export const PresentedDeviceToken = secret({ minLength: 1, maxLength: 1024 });

export const LoginAnswer = Type.Object(
  {
    ...TokenAnswer.properties,
    device_token: secret({
      description: 'For the next login of this user from this device; good for 90 days.',
    }),
  },
  { $id: 'LoginAnswer', description: 'What a login answers.' },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

export const ExchangeAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT for the other tenant.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds; 900 at the most.' }),
    tenant_id: TenantIdSchema,
  },
  { $id: 'ExchangeAnswer' },
);

/** RFC 6749 §5.1; RFC 8693 §2.2.1 for `issued_token_type`. */
export const ClientTokenAnswer = Type.Object(
  {
    access_token: secret({ description: 'A signed JWT.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds that the access token lives.' }),
    scope: Type.String({ description: 'The scopes of the token, joined by spaces.' }),
    issued_token_type: Type.Optional(
      Type.String({ description: 'After an exchange: that it is an access token.' }),
    ),
  },
  { $id: 'ClientTokenAnswer', description: 'What the token endpoint answers.' },
);
export type ClientTokenAnswer = Static<typeof ClientTokenAnswer>;
