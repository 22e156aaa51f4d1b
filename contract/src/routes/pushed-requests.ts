import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { AuthorizationParameters } from './authorize.ts';
import { CLIENT_AUTHENTICATION } from './client-authentication.ts';

export const pushAuthorizationRequest = route({
  id: 'oauth.push',
  method: 'POST',
  path: '/oauth/par',
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Push an authorization request',
  description:
    'Pushes an authorization request (RFC 9126). The application sends the request itself, and the browser carries only `client_id` and `request_uri`, so the request cannot be read or changed on the way. It is validated immediately and can be used for a minute. Only one code is issued for it. With a proof in the header `DPoP`, the code is bound to the key of the proof, as with `dpop_jkt`.',
  body: Type.Object(
    { ...AuthorizationParameters.properties, ...CLIENT_AUTHENTICATION },
    {
      examples: [
        {
          client_id: exampleOf(OAuthClientIdSchema),
          redirect_uri: 'https://app.example.com/callback',
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        },
      ],
    },
  ),
  ok: {
    status: 201,
    body: Type.Object(
      {
        request_uri: secret({
          description: 'Reference to the request, for the browser.',
          examples: ['urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c'],
        }),
        expires_in: Type.Integer({
          description: 'Lifetime of the reference, in seconds.',
          examples: [60],
        }),
      },
      { $id: 'PushedRequest', description: 'A pushed authorization request (RFC 9126 §2.2).' },
    ),
  },
  errors: [
    'VALIDATION_FAILED',
    'CLIENT_INVALID',
    'OAUTH_OFF',
    'RESPONSE_TYPE_UNSUPPORTED',
    'SCOPE_INVALID',
    'TARGET_INVALID',
    'AUTHORIZATION_DETAILS_INVALID',
    'UNMET_AUTHENTICATION',
    'REQUEST_OBJECT_INVALID',
    'DPOP_INVALID',
    'DPOP_NONCE_REQUIRED',
    'TOO_MANY_ATTEMPTS',
  ],
});

const pushAuthorizationRequestByIssuer = atIssuer(pushAuthorizationRequest, {
  id: 'oauth.push_by_issuer',
  path: `${ISSUER_PATH}${pushAuthorizationRequest.path}`,
  summary: 'Push an authorization request, at the issuer URL',
});

export const PUSHED_REQUEST_ROUTES = [
  pushAuthorizationRequest,
  pushAuthorizationRequestByIssuer,
] as const;
