import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_JWT, presentedToken } from '../records/tokens.ts';
import { route } from '../route.ts';
import { PRESENTED } from './client-authentication.ts';

export const revokeToken = route({
  id: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  form: 'accepted',
  summary: 'Revoke a token of an application',
  description:
    'Revokes a token (RFC 7009). The application’s session ends, and its refresh token and access tokens are rejected immediately. An unknown token is not an error, because it cannot be used either.',
  body: Type.Object(
    { token: presentedToken('A refresh token or an access token.'), ...PRESENTED },
    { examples: [{ token: EXAMPLE_JWT, client_id: exampleOf(OAuthClientIdSchema) }] },
  ),
  ok: {
    status: 200,
    body: Type.Object({}, { description: 'No content: the token can no longer be used.' }),
  },
  errors: [
    'VALIDATION_FAILED',
    'CLIENT_INVALID',
    'OAUTH_OFF',
    'CLIENT_UNAUTHORIZED',
    'TOO_MANY_ATTEMPTS',
  ],
});

const revokeTokenByIssuer = atIssuer(revokeToken, {
  id: 'oauth.revoke_by_issuer',
  path: `${ISSUER_PATH}${revokeToken.path}`,
  summary: 'Revoke a token of an application, at the issuer URL',
});

export const REVOCATION_ROUTES = [revokeToken, revokeTokenByIssuer] as const;
