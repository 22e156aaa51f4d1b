import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { secret } from '../records/tokens.ts';
import type { PagePolicy } from '../reply.ts';
import { route } from '../route.ts';
import { closed } from '../shape.ts';

const LOGOUT = '/oauth/logout';
const CONFIRM = '/oauth/logout/confirm';
const ENDED = '/oauth/logout/ended';

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));

/** OpenID Connect RP-Initiated Logout §2. Unknown parameters are ignored. */
const LogoutParameters = Type.Object({
  id_token_hint: text(
    8192,
    'An ID token that was issued to the application. It can be expired.',
    'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  ),
  client_id: text(
    256,
    'ID of the application. Must match the ID token, if there is one.',
    'client_01m81f1h9m6x3r8t2z5w7y0kqd',
  ),
  post_logout_redirect_uri: text(
    2048,
    'A redirect URI that is registered for the application.',
    'https://app.example.com/bye',
  ),
  state: text(2048, 'Returned unchanged.', 'af0ifjsldkj'),
  logout_hint: text(
    1024,
    'The user to sign out. Ignored, because the page names the user.',
    'ada@example.com',
  ),
  ui_locales: text(256, 'Preferred languages.', 'en'),
});

/** `opener`: an application can sign out in its own window. */
const PAGE = {
  styles: true,
  images: true,
  fonts: true,
  forms: true,
  opener: true,
} as const satisfies PagePolicy;

export const endSession = route({
  id: 'oauth.logout',
  method: 'GET',
  path: LOGOUT,
  access: 'tenant',
  errorForm: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Sign out, on the tenant host',
  description:
    'For browsers (OpenID Connect RP-Initiated Logout). If the ID token was issued in this login and the redirect URI is registered, the user is signed out immediately and returns with `state`. Otherwise a page requests confirmation first. It never links to an unregistered URL.',
  query: LogoutParameters,
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['ISSUER_ELSEWHERE'],
});

export const endSessionByIssuer = atIssuer(endSession, {
  id: 'oauth.logout_by_issuer',
  path: `${ISSUER_PATH}${LOGOUT}`,
  summary: 'Sign out',
});

export const endSessionForm = route({
  id: 'oauth.logout_form',
  method: 'POST',
  path: LOGOUT,
  access: 'tenant',
  errorForm: 'page',
  form: 'replayed',
  summary: 'Sign out with a form, on the tenant host',
  description: 'Redirects the browser to the same URL with GET.',
  body: LogoutParameters,
  ok: { kind: 'redirect', status: 303 },
  errors: [],
});

export const endSessionFormByIssuer = atIssuer(endSessionForm, {
  id: 'oauth.logout_form_by_issuer',
  path: `${ISSUER_PATH}${LOGOUT}`,
  summary: 'Sign out with a form',
});

/** A logout in progress, sealed so that only the browser that requested it can use it. */
const Sealed = secret({
  minLength: 1,
  maxLength: 12_000,
  description: 'The logout in progress.',
  examples: ['AZm9yIGV4YW1wbGUsIG5vdCBhIHNlYWxlZCByZXF1ZXN0'],
});

export const showLogoutPage = route({
  id: 'oauth.logout_page',
  method: 'GET',
  path: CONFIRM,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Show the page that confirms a logout, on the tenant host',
  description: 'For browsers. The page runs no scripts.',
  query: closed({ request: Sealed, locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FORM_TOO_OLD', 'ISSUER_ELSEWHERE'],
});

export const showLogoutPageByIssuer = atIssuer(showLogoutPage, {
  id: 'oauth.logout_page_by_issuer',
  path: `${ISSUER_PATH}${CONFIRM}`,
  summary: 'Show the page that confirms a logout',
});

export const confirmLogout = route({
  id: 'oauth.logout_confirm',
  method: 'POST',
  path: CONFIRM,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Confirm or cancel a logout on a page, on the tenant host',
  description:
    'Handles the form of the page. After a logout, redirects to the page that lists the notified applications.',
  body: closed({
    request: Sealed,
    action: Type.Enum(['logout', 'stay'], {
      description: 'The user’s decision: the name of the button.',
      examples: ['logout'],
    }),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['FORM_TOO_OLD', 'ISSUER_ELSEWHERE'],
});

export const confirmLogoutByIssuer = atIssuer(confirmLogout, {
  id: 'oauth.logout_confirm_by_issuer',
  path: `${ISSUER_PATH}${CONFIRM}`,
  summary: 'Confirm or cancel a logout on a page',
});

export const showLoggedOut = route({
  id: 'oauth.logged_out_page',
  method: 'GET',
  path: ENDED,
  access: 'tenant',
  errorForm: 'page',
  cookies: ['flow', 'locale'],
  summary: 'Show the applications notified of a logout, on the tenant host',
  description:
    'For browsers, for ten minutes after the logout. Shows the state when the page is loaded and does not wait for applications.',
  query: closed({ request: Sealed }),
  ok: { kind: 'html', status: 200, policy: PAGE },
  errors: ['FORM_TOO_OLD', 'ISSUER_ELSEWHERE'],
});

export const showLoggedOutByIssuer = atIssuer(showLoggedOut, {
  id: 'oauth.logged_out_page_by_issuer',
  path: `${ISSUER_PATH}${ENDED}`,
  summary: 'Show the applications notified of a logout',
});

export const LOGOUT_ROUTES = [
  endSession,
  endSessionByIssuer,
  endSessionForm,
  endSessionFormByIssuer,
  showLogoutPage,
  showLogoutPageByIssuer,
  confirmLogout,
  confirmLogoutByIssuer,
  showLoggedOut,
  showLoggedOutByIssuer,
];
