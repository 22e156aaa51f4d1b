import Type from 'typebox';
import { AccessTokenClaims } from '../claims.ts';
import { exampleOf } from '../example.ts';
import { SessionIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { PersonName } from '../records/profile.ts';
import {
  ImpersonationAnswer,
  LoginAnswer,
  PresentedDeviceToken,
  presentedToken,
  TokenAnswer,
} from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { IdentifierText, reason, SecretText } from './fields.ts';

export const login = route({
  id: 'auth.login',
  method: 'POST',
  path: `${API_BASE}/auth/login`,
  access: 'tenant',
  summary: 'Sign in with an identifier and a secret',
  description:
    'The response is the same for an unknown user, a wrong secret and an inactive user. With `register`, an unknown identifier creates a user in `ws_default`. In any other workspace, an unknown identifier and a wrong secret return `NOT_FOUND`. A `device_token` from an earlier login of the user identifies a known device, so that wrong guesses by others cannot lock it out.',
  body: closed(
    {
      identifier: IdentifierText,
      secret: SecretText,
      register: Type.Optional(
        Type.Boolean({
          description: 'Whether to create a user if the identifier is unknown. Default: false.',
        }),
      ),
      name: Type.Optional(
        Type.Union([PersonName, Type.Null()], {
          description:
            'With `register`: name of a new user. It does not change existing users. Needed if `registration_name` is `required`.',
          examples: ['Ada Lovelace'],
        }),
      ),
      workspace_id: Type.Optional(WorkspaceIdSchema),
      device_token: Type.Optional(PresentedDeviceToken),
    },
    { examples: [{ identifier: 'ada@example.com', secret: 'correct horse battery staple' }] },
  ),
  ok: { status: 200, body: LoginAnswer },
  errors: [
    'VALIDATION_FAILED',
    'INVALID_CREDENTIALS',
    'MFA_REQUIRED',
    'VERIFICATION_REQUIRED',
    'NEW_PASSWORD_REQUIRED',
    'NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
    'TOO_BUSY',
  ],
});

export const refresh = route({
  id: 'auth.refresh',
  method: 'POST',
  path: `${API_BASE}/auth/refresh`,
  access: 'tenant',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'A refresh token has one successor. If you send the token again within the retry window and before the successor was used, you get the same successor. Later reuse is treated as theft and ends the session. If the session no longer meets the tenant’s requirements, the refresh token remains unused, and the session continues after you complete `flow`. IP addresses with too many failures are rate-limited.',
  body: closed({ refresh_token: presentedToken('The most recent refresh token.') }),
  ok: { status: 200, body: TokenAnswer },
  errors: [
    'TOKEN_INVALID',
    'TENANT_MISMATCH',
    'REFRESH_TOKEN_REUSED',
    'STEP_UP_REQUIRED',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const logout = route({
  id: 'auth.logout',
  method: 'POST',
  path: `${API_BASE}/auth/logout`,
  access: 'user',
  summary: 'Sign out: end the session of the access token',
  description:
    'The session’s access tokens and refresh token are rejected immediately. The user’s other sessions continue.',
  ok: {
    status: 200,
    body: Type.Object({
      session_id: SessionIdSchema,
      revoked: Type.Literal(true, { description: 'Always `true`: the session has ended.' }),
    }),
  },
  errors: [],
});

export const EXAMPLE_STATUS = {
  active: true,
  jti: '6f7Sg0mKT0G8D1Vv0oJ9kQ',
  token_type: 'access',
  iss: 'https://id.example.com/t/org_acme',
  sub: exampleOf(UserIdSchema),
  aud: 'https://id.example.com/t/org_acme',
  iat: 1_795_339_800,
  exp: 1_795_343_400,
  tenant_id: exampleOf(TenantIdSchema),
  workspace_id: exampleOf(WorkspaceIdSchema),
  roles: ['reader'],
  scopes: ['read:users'],
  scope: 'read:users',
  sid: exampleOf(SessionIdSchema),
  client_id: 'keywright',
  ver: 1,
};

/** RFC 7662 §2.2: `active` and, if it is true, the claims. */
export const TokenStatus = Type.Object(
  {
    active: Type.Boolean({ description: 'Whether the token is currently valid.' }),
    ...Type.Partial(AccessTokenClaims).properties,
  },
  {
    $id: 'TokenStatus',
    additionalProperties: true,
    description: 'Whether a token is active, and if it is, its claims (RFC 7662 §2.2).',
    examples: [EXAMPLE_STATUS],
  },
);

export const verifyToken = route({
  id: 'auth.verify_token',
  method: 'POST',
  path: `${API_BASE}/auth/verify-token`,
  access: 'caller',
  begins: 'unconfirmed',
  summary: 'Introspect a token',
  description:
    'Introspects a token (RFC 7662). The response does not reveal why a token is inactive.',
  body: closed({ token: presentedToken('An access token or an API key.') }),
  ok: {
    status: 200,
    body: TokenStatus,
  },
  errors: [],
});

export const impersonate = route({
  id: 'auth.impersonate',
  method: 'POST',
  path: `${API_BASE}/auth/impersonate`,
  access: 'system',
  summary: 'Impersonate inside a tenant as a system administrator',
  description:
    'Returns a token that is valid only in that tenant, for at most 15 minutes. Its `act` claim identifies the administrator. Routes that require a recent login require a recent login of the administrator in their own tenant; to renew it, the administrator signs in and impersonates again. Each impersonation is recorded with its reason.',
  body: closed({
    tenant_id: TenantIdSchema,
    reason: reason('Ticket 4711: cannot sign in'),
  }),
  ok: { status: 200, body: ImpersonationAnswer },
  errors: ['NOT_FOUND', 'TENANT_INACTIVE', 'TOKEN_FOR_BROWSER_REFUSED'],
});
