import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { OAuthClientIdSchema, pathId, TenantIdSchema } from '../ids.ts';
import { ISSUER_PATH } from '../issuer-routes.ts';
import { expiresAt } from '../records/record-fields.ts';
import { secret } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { PAGE, Sealed } from './authorize.ts';

const OPEN = `${ISSUER_PATH}/oauth/test-login` as const;
const inTenant = Type.Object({ tenant_id: pathId(TenantIdSchema) });

export const startTestLogin = route({
  id: 'clients.test_login',
  method: 'POST',
  path: `${API_BASE}/clients/:client_id/test-login`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Start a test login to an OAuth client',
  description:
    'Returns a URL that starts a login to the client. A page of the service receives the tokens instead of the application and shows them once, in the same browser. The URL works once, for five minutes, and only in a browser where the caller is signed in. The tokens expire after at most ten minutes and cannot be refreshed.',
  params: Type.Object({ client_id: pathId(OAuthClientIdSchema) }),
  body: closed({
    scopes: Type.Optional(
      Type.Array(
        Type.String({
          pattern: String.raw`^[\x21\x23-\x5b\x5d-\x7e]{1,128}$`,
          [EXPECTS]:
            'a scope of at most 128 printable ASCII characters, without spaces, quotes and backslashes',
          description: 'A scope.',
          examples: ['openid'],
        }),
        {
          minItems: 1,
          maxItems: 64,
          uniqueItems: true,
          description: 'The requested scopes. Default: all scopes of the client.',
        },
      ),
    ),
    prompt: Type.Optional(
      Type.Enum(['login', 'consent', 'select_account'], {
        description: 'A page to show even if it is not needed, as in an authorization request.',
        examples: ['login'],
      }),
    ),
  }),
  ok: {
    status: 200,
    body: Type.Object(
      {
        url: Type.String({
          description: 'URL to open in a new tab of the caller’s browser.',
          examples: ['https://id.example.com/t/org_acme/oauth/test-login?test=AZm9yIGV4YW1wbGUK'],
        }),
        expires_at: expiresAt('When the URL expires.'),
      },
      { $id: 'StartedTestLogin', description: 'A test login that is ready to be opened.' },
    ),
  },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'OAUTH_OFF', 'USER_REQUIRED', 'IMPERSONATION_REFUSED'],
});

export const openTestLogin = route({
  id: 'oauth.test_login',
  method: 'GET',
  path: OPEN,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  cookies: ['session', 'flow'],
  summary: 'Open a test login',
  description: 'For browsers. The URL that `POST /clients/{client_id}/test-login` returned.',
  params: inTenant,
  query: closed({ test: Sealed }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['FORM_TOO_OLD', 'OAUTH_OFF'],
});

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 1024, description, examples: [example] }));

export const finishTestLogin = route({
  id: 'oauth.test_login_result',
  method: 'GET',
  path: `${OPEN}/result`,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Show the result of a test login',
  description:
    'For browsers. Redeems the code, and shows the tokens and their claims once, only in the browser that opened the test.',
  params: inTenant,
  query: closed({
    state: Sealed,
    iss: text('The issuer.', 'https://id.example.com/t/org_acme'),
    code: Type.Optional(
      secret({
        minLength: 1,
        maxLength: 16_384,
        description: 'The code.',
        examples: ['AZm9yIGV4YW1wbGUK'],
      }),
    ),
    error: Type.Optional(
      Type.String({
        pattern: '^[a-z_]{1,64}$',
        [EXPECTS]: 'an error code of OAuth',
        description: 'The error.',
        examples: ['access_denied'],
      }),
    ),
    error_description: text('What the error means.', 'The user did not consent.'),
  }),
  ok: { kind: 'html', status: 200, policy: { styles: true, images: true, forms: true } },
  errors: ['FORM_TOO_OLD', 'OAUTH_OFF'],
});

export const TEST_LOGIN_ROUTES = [startTestLogin, openTestLogin, finishTestLogin] as const;
