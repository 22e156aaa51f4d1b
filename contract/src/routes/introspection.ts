import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_JWT, presentedToken, TokenType } from '../records/tokens.ts';
import { route } from '../route.ts';
import { EXAMPLE_STATUS, TokenStatus } from './auth.ts';
import { PRESENTED } from './client-authentication.ts';

/** RFC 9701 §4. */
export const SIGNED_INTROSPECTION = 'application/token-introspection+jwt';

const Introspection = Type.Object(
  {
    ...TokenStatus.properties,
    token_type: Type.Optional(TokenType),
  },
  {
    $id: 'Introspection',
    additionalProperties: true,
    description: 'Whether a token is active for this client, and if it is, its claims.',
    examples: [{ ...EXAMPLE_STATUS, token_type: 'Bearer' }],
  },
);

export const introspectToken = route({
  id: 'oauth.introspect',
  method: 'POST',
  path: '/oauth/introspect',
  access: 'tenant',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Introspect a token as a client',
  description: `Introspects a token (RFC 7662). Agents, and applications that have a secret or a key, can introspect their own tokens and those of resources that they serve. Any other token is inactive for them. With \`Accept: ${SIGNED_INTROSPECTION}\`, the response is signed (RFC 9701): for applications with the algorithm of their ID tokens, for agents with EdDSA. The response does not reveal why a token is inactive.`,
  body: Type.Object(
    { token: presentedToken('An access token, a refresh token or an API key.'), ...PRESENTED },
    { examples: [{ token: EXAMPLE_JWT, client_id: exampleOf(OAuthClientIdSchema) }] },
  ),
  ok: {
    status: 200,
    body: Introspection,
    alternative: {
      contentType: SIGNED_INTROSPECTION,
      body: Type.String({
        description:
          'The same response as a JWT, in `token_introspection`, with `iss`, `aud` and `iat`.',
        examples: [EXAMPLE_JWT],
      }),
    },
  },
  errors: ['VALIDATION_FAILED', 'CLIENT_INVALID', 'OAUTH_OFF', 'TOO_MANY_ATTEMPTS'],
});

const introspectTokenByIssuer = atIssuer(introspectToken, {
  id: 'oauth.introspect_by_issuer',
  path: `${ISSUER_PATH}${introspectToken.path}`,
  summary: 'Introspect a token as a client, at the issuer URL',
});

export const INTROSPECTION_ROUTES = [introspectToken, introspectTokenByIssuer] as const;
