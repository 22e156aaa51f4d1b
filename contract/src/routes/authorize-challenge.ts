import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { MESSAGE_CHANNELS } from '../messages.ts';
import { RecoveryCode, TotpCode } from '../records/factor.ts';
import { AuthSession } from '../records/in-app-login.ts';
import { MessageCode } from '../records/login-flow.ts';
import { PresentedDeviceToken, secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { AuthorizationParameters } from './authorize.ts';
import { CLIENT_AUTHENTICATION } from './client-authentication.ts';
import { SecretText } from './fields.ts';

/** The fields that continue a login. A request can contain at most one of them. */
export const CHALLENGE_STEPS = {
  password: Type.Optional(SecretText),
  message: Type.Optional(
    Type.Enum([...MESSAGE_CHANNELS], {
      description: 'Requests a message with a code over this channel.',
      examples: ['email'],
    }),
  ),
  message_code: Type.Optional(MessageCode),
  totp_code: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
  passkey_options: Type.Optional(
    Type.Enum(['true'], { description: 'Requests the options for a passkey.' }),
  ),
  passkey: Type.Optional(
    secret({
      minLength: 2,
      maxLength: 12_288,
      description: 'The passkey assertion, as JSON.',
      examples: ['{"id":"Xk1p9Qw3TzWv7bC2rY5mNg","type":"public-key"}'],
    }),
  ),
};

export const authorizeChallenge = route({
  id: 'oauth.challenge',
  method: 'POST',
  path: '/oauth/authorize-challenge',
  access: 'tenant',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Sign in inside an application of the tenant',
  description:
    'Logs a user in on the screens of a native application with `in_app_login` (draft-ietf-oauth-first-party-apps). The first request has the parameters of an authorization request, with `login_hint` as the identifier. `redirect_uri` is optional: the one that a login on the web would return to. All responses except the last are errors. `insufficient_authorization` lists the next steps in `needs`; send one of them with `auth_session`. `redirect_to_web` means that the login must continue in a browser. The response is the same for known and unknown identifiers. With a proof in the header `DPoP`, the login and its code are bound to the key of the proof.',
  body: Type.Object(
    {
      ...AuthorizationParameters.properties,
      ...CLIENT_AUTHENTICATION,
      auth_session: Type.Optional(AuthSession),
      ...CHALLENGE_STEPS,
      device_token: Type.Optional(PresentedDeviceToken),
    },
    {
      examples: [
        {
          client_id: exampleOf(OAuthClientIdSchema),
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
          login_hint: 'ada@example.com',
        },
      ],
    },
  ),
  ok: {
    status: 200,
    body: Type.Object(
      {
        authorization_code: secret({
          description:
            'Authorization code for the token endpoint. Send it with the code verifier and without `redirect_uri`.',
          examples: ['uY29tL2F1dGhlbnRpY'],
        }),
        device_token: Type.Optional(PresentedDeviceToken),
        recovery_code: Type.Optional(RecoveryCode),
      },
      {
        $id: 'ChallengeAnswer',
        description: 'The code of a login inside an application.',
      },
    ),
  },
  errors: [
    'VALIDATION_FAILED',
    'CLIENT_INVALID',
    'CLIENT_UNAUTHORIZED',
    'OAUTH_OFF',
    'RESPONSE_TYPE_UNSUPPORTED',
    'SCOPE_INVALID',
    'TARGET_INVALID',
    'AUTHORIZATION_DETAILS_INVALID',
    'UNMET_AUTHENTICATION',
    'REQUEST_OBJECT_INVALID',
    'DPOP_INVALID',
    'DPOP_NONCE_REQUIRED',
    'INSUFFICIENT_AUTHORIZATION',
    'REDIRECT_TO_WEB',
    'AUTH_SESSION_INVALID',
    'TOO_MANY_ATTEMPTS',
    'TOO_MANY_MESSAGES',
    'TOO_BUSY',
  ],
});

const authorizeChallengeByIssuer = atIssuer(authorizeChallenge, {
  id: 'oauth.challenge_by_issuer',
  path: `${ISSUER_PATH}${authorizeChallenge.path}`,
  summary: 'Sign in inside an application, at the issuer URL',
});

export const CHALLENGE_ROUTES = [authorizeChallenge, authorizeChallengeByIssuer] as const;
