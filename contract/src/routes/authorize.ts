import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import type { PagePolicy } from '../reply.ts';
import { LinkToken } from '../records/login-flow.ts';
import { NAME_LENGTH } from '../records/profile.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';
import { targets } from './fields.ts';

const AUTHORIZE = '/oauth/authorize';
const CONTINUE = '/oauth/continue';

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 8192, description, examples: [example] }));

/** Unknown parameters are ignored (RFC 6749 §3.1). A request that repeats a parameter is malformed. */
export const AuthorizationParameters = Type.Object({
  client_id: text('ID of the application.', 'client_01m81f1h9m6x3r8t2z5w7y0kqd'),
  redirect_uri: text(
    'A redirect URI that is registered for the application.',
    'https://app.example.com/callback',
  ),
  response_type: text('`code`.', 'code'),
  response_mode: text(
    '`query` (default) or `form_post`; for signed responses (JARM), `query.jwt` (also `jwt`) or `form_post.jwt`.',
    'query',
  ),
  scope: text('Scopes, separated by spaces.', 'openid profile email'),
  state: text('Returned unchanged.', 'af0ifjsldkj'),
  nonce: text('The `nonce` for the ID token.', 'n-0S6_WzA2Mj'),
  code_challenge: text(
    'SHA-256 of the code verifier, in base64url (RFC 7636).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: text('`S256`.', 'S256'),
  prompt: text('`none`, `login`, `consent`, `select_account` or `create`.', 'login'),
  max_age: text('Maximum time since the user authenticated, in seconds.', '3600'),
  acr_values: text('Acceptable `acr` values, in order of preference.', 'aal2'),
  login_hint: text('Identifier to prefill. It proves nothing.', 'ada@example.com'),
  id_token_hint: text('An ID token of the expected user.', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'),
  ui_locales: text('Preferred languages.', 'en'),
  dpop_jkt: text(
    'Thumbprint of the key that the code is bound to. Exchanging the code requires a DPoP proof with this key (RFC 9449 §10).',
    '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
  ),
  claims: text('Individually requested claims (OpenID Connect Core §5.5).', '{"id_token":{}}'),
  authorization_details: text(
    'Authorization details, as a JSON array (RFC 9396).',
    '[{"type":"payment_initiation","amount":"12.50"}]',
  ),
  resource: targets('AuthorizationResource', 'The tenant’s audience (RFC 8707).'),
  request: text(
    'The request as a JWT signed by the application. All other parameters except `client_id` are then ignored (RFC 9101).',
    'eyJhbGciOiJFUzI1NiJ9.e30.c2ln',
  ),
  request_uri: text(
    'Reference to a request that the application pushed. All other parameters except `client_id` are then ignored.',
    'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c',
  ),
  registration: text('Not supported.', '{}'),
});

/** `connects`: needed for passkeys. `opener`: an application can open the login in its own window. */
export const PAGE = {
  connects: true,
  styles: true,
  scripts: true,
  images: true,
  fonts: true,
  forms: true,
  opener: true,
} as const satisfies PagePolicy;

export const authorize = route({
  id: 'oauth.authorize',
  method: 'GET',
  path: AUTHORIZE,
  access: 'tenant',
  errorForm: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Request an authorization code, on the tenant host',
  description:
    'For browsers (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). The user signs in, consents if required, and returns to the application with `code`, `state` and `iss`, or with `error`. If the application or the redirect URI is unknown, the user sees an error page and is not redirected.',
  query: AuthorizationParameters,
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['REQUEST_INVALID', 'OAUTH_OFF', 'ISSUER_ELSEWHERE', 'TOO_MANY_ATTEMPTS'],
});

export const authorizeByIssuer = atIssuer(authorize, {
  id: 'oauth.authorize_by_issuer',
  path: `${ISSUER_PATH}${AUTHORIZE}`,
  summary: 'Request an authorization code',
});

export const authorizeForm = route({
  id: 'oauth.authorize_form',
  method: 'POST',
  path: AUTHORIZE,
  access: 'tenant',
  errorForm: 'page',
  form: 'replayed',
  summary: 'Request an authorization code with a form, on the tenant host',
  description: 'Redirects the browser to the same URL with GET.',
  body: AuthorizationParameters,
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

export const authorizeFormByIssuer = atIssuer(authorizeForm, {
  id: 'oauth.authorize_form_by_issuer',
  path: `${ISSUER_PATH}${AUTHORIZE}`,
  summary: 'Request an authorization code with a form',
});

/** An authorization request in progress, sealed so that only the browser that started it can use it. */
export const Sealed = secret({
  minLength: 1,
  maxLength: 12_000,
  description: 'The request in progress.',
  examples: ['AZm9yIGV4YW1wbGUsIG5vdCBhIHNlYWxlZCByZXF1ZXN0'],
});

export const continueAuthorization = route({
  id: 'oauth.continue',
  method: 'GET',
  path: CONTINUE,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale', 'method'],
  summary: 'Show the next step of a login, on the tenant host',
  description:
    'For browsers. Shows a login form, the choice of an account or the consent page, or redirects to the application. The page runs no scripts, except for passkeys.',
  query: closed({ request: Sealed, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FORM_TOO_OLD', 'COOKIE_REFUSED', 'REQUEST_INVALID', 'OAUTH_OFF', 'ISSUER_ELSEWHERE'],
});

export const continueAuthorizationByIssuer = atIssuer(continueAuthorization, {
  id: 'oauth.continue_by_issuer',
  path: `${ISSUER_PATH}${CONTINUE}`,
  summary: 'Show the next step of a login',
});

const field = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));

const StepFields = closed({
  request: Sealed,
  action: Type.String({
    maxLength: 32,
    description: 'Name of the button that the user pressed.',
    examples: ['login'],
  }),
  name: field(NAME_LENGTH, 'The name of a new user.', 'Ada Lovelace'),
  identifier: field(320, 'An email address or a phone number.', 'ada@example.com'),
  secret: Type.Optional(
    secret({
      maxLength: 1024,
      description: 'A password.',
      examples: ['correct horse battery staple'],
    }),
  ),
  code: Type.Optional(secret({ maxLength: 64, description: 'A code.', examples: ['49203911'] })),
  credential: Type.Optional(
    secret({
      maxLength: 12_000,
      description: 'The result of the passkey, as JSON.',
      examples: ['{}'],
    }),
  ),
  link_token: Type.Optional(LinkToken),
  provider: field(64, 'ID of an identity provider.', 'idp_01m81e4vr3f7k2m9x5q0t6w8za'),
});

export const submitStep = route({
  id: 'oauth.submit',
  method: 'POST',
  path: CONTINUE,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale', 'method', 'device'],
  summary: 'Submit a step of a login on a page, on the tenant host',
  description: 'Handles the form of the page. Errors are shown on the page.',
  body: StepFields,
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: [
    'REQUEST_INVALID',
    'OAUTH_OFF',
    'ISSUER_ELSEWHERE',
    'INVALID_CREDENTIALS',
    'CODE_WRONG',
    'PASSKEY_REFUSED',
    'TOO_MANY_ATTEMPTS',
    'TOO_MANY_MESSAGES',
    'TOO_BUSY',
    'FLOW_ENDED',
    'FORM_TOO_OLD',
    'COOKIE_REFUSED',
    'IDENTIFIER_TAKEN',
    'NOT_FOUND',
    'STEP_NOT_NEEDED',
    'VALIDATION_FAILED',
    'PROVIDER_REFUSED',
    'DESTINATION_REFUSED',
    'LINK_ELSEWHERE',
  ],
});

export const submitStepByIssuer = atIssuer(submitStep, {
  id: 'oauth.submit_by_issuer',
  path: `${ISSUER_PATH}${CONTINUE}`,
  summary: 'Submit a step of a login on a page',
});

export const AUTHORIZE_ROUTES = [
  authorize,
  authorizeByIssuer,
  authorizeForm,
  authorizeFormByIssuer,
  continueAuthorization,
  continueAuthorizationByIssuer,
  submitStep,
  submitStepByIssuer,
];
