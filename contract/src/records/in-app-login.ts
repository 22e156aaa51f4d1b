import Type, { type Static } from 'typebox';
import { MESSAGE_CHANNELS } from '../messages.ts';
import { RecoveryCode } from './factor.ts';
import { PasskeyRequestOptions } from './passkey.ts';
import { secret } from './tokens.ts';

export const InAppLogin = Type.Boolean({
  description:
    'Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for `native` clients with `first_party`.',
  examples: [false],
});

/** The login steps that an application can render itself. The other steps need the pages of the service. */
export const IN_APP_STEPS = [
  'password',
  'message',
  'code',
  'totp',
  'passkey',
  'recovery_code',
] as const;

const InAppNeed = Type.Object(
  {
    step: Type.Enum([...IN_APP_STEPS], {
      description:
        'Name of the step. `message` requests a message; `code` sends the code from a message.',
      examples: ['password'],
    }),
    channels: Type.Optional(
      Type.Array(Type.Enum([...MESSAGE_CHANNELS]), {
        description: 'With `message`: the available channels.',
        examples: [['email']],
      }),
    ),
  },
  {
    $id: 'InAppNeed',
    description: 'A possible next step of a login inside an application.',
  },
);
export type InAppNeed = Static<typeof InAppNeed>;

/** Each response returns a new value; every value of a login is valid until the login ends. */
export const AuthSession = secret({
  minLength: 1,
  maxLength: 14_336,
  description:
    'The login in progress, from the previous response. Only the client that started it can use it.',
  examples: ['b3VyIGV4YW1wbGUgb2YgYSBzZWFsZWQgbG9naW4'],
});

/** The fields of an authorization challenge error in addition to its code: the next steps. */
export const Challenge = Type.Object({
  auth_session: Type.Optional(AuthSession),
  needs: Type.Optional(
    Type.Array(InAppNeed, {
      description:
        'With `insufficient_authorization`: the possible next steps. Before the first proof, they are the same for every identifier.',
    }),
  ),
  refused: Type.Optional(
    Type.String({
      description: 'Error code that explains why the step in this request was rejected.',
      examples: ['INVALID_CREDENTIALS'],
    }),
  ),
  sent_to: Type.Optional(
    Type.String({ description: 'Masked recipient of the message.', examples: ['a…@e….com'] }),
  ),
  resend_after: Type.Optional(
    Type.Integer({
      description: 'Seconds until another message can be requested.',
      examples: [30],
    }),
  ),
  passkey_options: Type.Optional(PasskeyRequestOptions),
  recovery_code: Type.Optional(RecoveryCode),
  request_uri: Type.Optional(
    secret({
      description:
        'With `redirect_to_web`: reference to the request, which is already pushed (RFC 9126 §2.2).',
      examples: ['urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c'],
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      description: 'Seconds until `request_uri` expires.',
      examples: [60],
    }),
  ),
});
export type Challenge = Static<typeof Challenge>;
