import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { AgentIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_API_KEY } from '../records/api-key.ts';
import { ASSERTION_GRANT, DEVICE_GRANT, EXCHANGE_GRANT } from '../records/client-grants.ts';
import { ClientTokenAnswer, presentedToken, secret } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { CLIENT_AUTHENTICATION } from './client-authentication.ts';
import { targets } from './fields.ts';

/** RFC 6749 §4.1, §6 and §4.4, RFC 8628 §3.4, RFC 8693 §2.1, RFC 7523 §2.1. */
export const GRANT_TYPE = {
  authorizationCode: 'authorization_code',
  refreshToken: 'refresh_token',
  deviceCode: DEVICE_GRANT,
  clientCredentials: 'client_credentials',
  tokenExchange: EXCHANGE_GRANT,
  jwtBearer: ASSERTION_GRANT,
} as const;

/**
 * The token types of RFC 8693 §3; the type of identity assertions (draft-ietf-oauth-identity-assertion-authz-grant);
 * and Keywright's own type, the ID of a delegation.
 */
export const TOKEN_TYPE = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
  refreshToken: 'urn:ietf:params:oauth:token-type:refresh_token',
  idJag: 'urn:ietf:params:oauth:token-type:id-jag',
  delegation: 'urn:keywright:token-type:delegation',
} as const;

const EXAMPLE_REQUEST = {
  grant_type: GRANT_TYPE.clientCredentials,
  client_id: exampleOf(AgentIdSchema),
  client_secret: EXAMPLE_API_KEY,
  scope: 'read:users',
};

const text = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }));

export const issueToken = route({
  id: 'auth.token',
  method: 'POST',
  path: `${API_BASE}/auth/token`,
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Get an access token as an agent or an application',
  description:
    'The OAuth 2.0 token endpoint. Accepts JSON and forms. Applications use `authorization_code`, `refresh_token`, `device_code` (RFC 8628), `token-exchange` and `jwt-bearer`. They use `token-exchange` to exchange an access token for one that another service accepts (RFC 8693), or a login for an identity assertion (ID-JAG) for another authorization server, and `jwt-bearer` with such an assertion from an identity provider. Agents use `client_credentials` with an API key or a signed assertion, `token-exchange` and `jwt-bearer` with a token from an external issuer that the agent trusts, and `token-exchange` with a user’s token or the ID of a delegation to act for a user. HTTP Basic authentication is also accepted. With a proof in the header `DPoP`, the access token is bound to the key of the proof (RFC 9449), and so is a refresh token. Unknown parameters are ignored (RFC 6749 §3.2). Agents do not get refresh tokens.',
  body: Type.Object(
    {
      grant_type: Type.String({
        maxLength: 128,
        description: `The grant type: \`${Object.values(GRANT_TYPE).join('`, `')}\`.`,
      }),
      ...CLIENT_AUTHENTICATION,
      code: Type.Optional(
        secret({
          maxLength: 8192,
          description: 'With `authorization_code`: the code. Can be used once, within a minute.',
          examples: ['SplxlOBeZQQYbYS6WxSbIA'],
        }),
      ),
      redirect_uri: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: 'With `authorization_code`: the redirect URI of the authorization request.',
          examples: ['https://app.example.com/callback'],
        }),
      ),
      code_verifier: Type.Optional(
        secret({
          maxLength: 128,
          description:
            'With `authorization_code`: the code verifier, whose hash is `code_challenge` (RFC 7636).',
          examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
        }),
      ),
      refresh_token: Type.Optional(
        presentedToken('With `refresh_token`: the current refresh token.'),
      ),
      device_code: Type.Optional(
        secret({
          maxLength: 128,
          description:
            'With `device_code`: the device code of the login that was started on the device.',
          examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS-s'],
        }),
      ),
      assertion: Type.Optional(
        presentedToken(
          'With `jwt-bearer`: a token from an external issuer (RFC 7523 §2.1), or for an application, an identity assertion.',
        ),
      ),
      scope: Type.Optional(
        Type.String({
          maxLength: 8192,
          description: 'Scopes, separated by spaces. Default: all scopes that can be granted.',
        }),
      ),
      authorization_details: Type.Optional(
        Type.String({
          maxLength: 8192,
          description:
            'With `authorization_code`, `refresh_token`, and `token-exchange` by a client: a subset of the authorization details that the user granted, as a JSON array (RFC 9396 §6). Default: all of them.',
        }),
      ),
      subject_token: Type.Optional(
        presentedToken('With `token-exchange`: the token of the subject (RFC 8693 §2.1).'),
      ),
      subject_token_type: text(`\`${Object.values(TOKEN_TYPE).join('`, `')}\`.`),
      actor_token: Type.Optional(presentedToken('The actor: a token of the agent itself.')),
      actor_token_type: text(`\`${TOKEN_TYPE.accessToken}\`: an access token of the agent itself.`),
      requested_token_type: text(
        `\`${TOKEN_TYPE.accessToken}\` or \`${TOKEN_TYPE.jwt}\`. For an application, also \`${TOKEN_TYPE.idJag}\`.`,
      ),
      audience: targets(
        'TokenAudience',
        'The tenant’s audience. With `token-exchange` by an application, also the URI of a resource, or the issuer that an identity assertion is for.',
      ),
      resource: targets(
        'TokenResource',
        'URI of a resource, or the tenant’s audience: one of those that the user has granted tokens for (RFC 8707). With `token-exchange` by an application: the resource that the new token is for, or that an identity assertion names.',
      ),
    },
    { examples: [EXAMPLE_REQUEST] },
  ),
  ok: { status: 200, body: ClientTokenAnswer },
  errors: [
    'VALIDATION_FAILED',
    'CLIENT_INVALID',
    'OAUTH_OFF',
    'GRANT_TYPE_UNSUPPORTED',
    'CLIENT_UNAUTHORIZED',
    'GRANT_INVALID',
    'AUTHORIZATION_PENDING',
    'SLOW_DOWN',
    'DEVICE_CODE_EXPIRED',
    'DEVICE_DENIED',
    'SCOPE_INVALID',
    'TARGET_INVALID',
    'AUTHORIZATION_DETAILS_INVALID',
    'EXCHANGE_REFUSED',
    'DELEGATION_REQUIRED',
    'DPOP_INVALID',
    'DPOP_NONCE_REQUIRED',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const issueTokenByIssuer = atIssuer(issueToken, {
  id: 'auth.token_by_issuer',
  path: `${ISSUER_PATH}/auth/token`,
  summary: 'Get an access token as an agent or an application, at the issuer URL',
});
