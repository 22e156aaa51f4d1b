import type { ErrorPages } from './page.ts';

const CLIENT = 'client_01m7z2d5jfe9zr0j4dgg8m5yx4';
const CHALLENGE = 'POST /t/org_acme/oauth/authorize-challenge';
/** The first request of a login inside an application. The code challenge is that of RFC 7636, appendix B. */
const LOGIN_REQUEST = {
  client_id: CLIENT,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** Errors of logins for applications, and of the pages that show them. */
export const OAUTH_LOGIN_PAGES = {
  REQUEST_INVALID: {
    causes: [
      '`redirect_uri` is not one of the client’s `redirect_uris`. It must match exactly, including the port and a trailing slash.',
      '`client_id` is unknown in this tenant, or the client is inactive.',
      'A parameter was sent twice.',
      'A pushed request (`request_uri`) is older than a minute or was already used.',
      'The client was deleted during the login.',
    ],
    fixes: [
      'Read the second paragraph of the error page, which names the parameter for developers.',
      'Add the URI with `PATCH /clients/{client_id}`, or correct your application. `localhost` and `127.0.0.1` are different hosts.',
      'The service shows a page instead of redirecting, because it cannot trust the URI.',
    ],
    example: {
      request: `GET /t/org_acme/oauth/authorize?client_id=${CLIENT}&response_type=code&redirect_uri=https://app.acme.example/other`,
    },
    guides: ['guide/add-login.md', 'guide/openid.md'],
  },
  OAUTH_OFF: {
    causes: [
      'The tenant is not an OpenID provider: `oauth_enabled` is `false`, so applications cannot sign users in, and the token endpoint rejects their requests. Agents are not affected.',
      'The request names the wrong tenant.',
    ],
    fixes: [
      'Set `oauth_enabled` to `true` with `PATCH /tenants/{tenant_id}`, or in the tenant’s settings in the console.',
      'Check the issuer in your application’s configuration: it identifies the tenant.',
      'Sign users in with `POST /auth/login` or a login flow if you do not need OpenID Connect.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/par',
      form: { client_id: CLIENT, response_type: 'code' },
    },
    guides: ['guide/openid.md', 'guide/add-login.md', 'guide/tenants.md'],
  },
  ISSUER_ELSEWHERE: {
    causes: [
      'A login page was opened at a different host name or path than the tenant’s issuer: for example, at `127.0.0.1` instead of `localhost`, or at a server’s internal host name.',
      '`KEYWRIGHT_BASE_URL` is not the public URL of the service.',
      'A proxy replaces the `Host` header, or the service does not trust its `X-Forwarded-Host`.',
    ],
    fixes: [
      'Use the tenant’s issuer in your application. `GET /t/{tenant_id}/.well-known/openid-configuration` shows it.',
      'Set `KEYWRIGHT_BASE_URL` to the public URL, and `KEYWRIGHT_TRUSTED_PROXIES` to your proxies’ IP addresses.',
      'If the tenant has its own domain, set the tenant’s `issuer` to that domain’s URL.',
    ],
    example: { request: 'GET /t/org_acme/account' },
    guides: ['guide/proxy.md', 'guide/tenants.md', 'guide/add-login.md'],
  },
  COOKIE_REFUSED: {
    causes: [
      'The browser did not send the login’s cookie, because the login page was opened at a different host name: `localhost` and `127.0.0.1` have separate cookies.',
      'The browser blocks cookies, or the page is in a frame on another site.',
      'The user opened a login page’s copied URL in another browser.',
    ],
    fixes: [
      'Start the login again in your application, and use the issuer’s host name.',
      'Open the login in the whole window, not in a frame. Keywright’s pages do not allow frames.',
      'Allow cookies for the service’s host.',
    ],
    example: { request: 'GET /t/org_acme/oauth/continue?request=<request>' },
    guides: ['guide/add-login.md', 'guide/proxy.md'],
  },
  FORM_TOO_OLD: {
    causes: [
      'The page was open for too long before the user submitted its form. Login steps expire after 30 minutes.',
      'The user signed in or out in another tab, so that the form belongs to an earlier login.',
      'The browser did not send the cookie that belongs to the form.',
    ],
    fixes: [
      'Open the page again, and reenter the data.',
      'Start the login again in the application.',
      'Do not store or share URLs of login pages: link to your application instead.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/continue',
      form: { request: '<request>', action: 'password' },
      headers: { Origin: 'https://id.example.com' },
    },
    guides: ['guide/add-login.md', 'guide/account-page.md'],
  },
  RESPONSE_TYPE_UNSUPPORTED: {
    causes: [
      'The authorization request has a `response_type` other than `code`: `token`, `id_token` or a combination of them. OAuth 2.1 removed the implicit flow.',
      'A library uses an outdated default.',
    ],
    fixes: [
      'Send `response_type=code` with PKCE, and exchange the code at the token endpoint.',
      'In the library, look for a setting such as “authorization code flow with PKCE”. All current libraries for browser apps have it.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/par',
      form: {
        client_id: CLIENT,
        redirect_uri: 'https://app.acme.example/callback',
        response_type: 'id_token token',
      },
    },
    guides: ['guide/browser-apps.md', 'guide/openid.md'],
  },
  UNMET_AUTHENTICATION: {
    causes: [
      'The request requires an unsupported level of authentication: in `claims`, it marks `acr` as essential and lists only unsupported values.',
    ],
    fixes: [
      'Use the values in `acr_values_supported` of `/.well-known/openid-configuration`.',
      'Send them in `acr_values` instead of as an essential claim if your application also accepts other logins, and check the `acr` claim in the ID token.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/par',
      form: {
        client_id: CLIENT,
        redirect_uri: 'https://app.acme.example/callback',
        response_type: 'code',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        claims: '{"id_token":{"acr":{"essential":true,"values":["gold"]}}}',
      },
    },
    guides: ['guide/second-factors.md', 'guide/openid.md'],
  },
  REQUEST_OBJECT_INVALID: {
    causes: [
      'The signature of the request object does not match a key of the client, or the object is not signed.',
      '`iss` and `client_id` are not the client’s ID, or `aud` does not contain the tenant’s issuer.',
      'The object has expired, is valid for too long, or its `nbf` is in the future.',
      'It contains `request` or `request_uri`, or a `sub` that equals the client’s ID.',
    ],
    fixes: [
      'Register the public key in the client’s `jwks` or `jwks_uri`, and send its `kid` in the header.',
      'Set `aud` to the issuer, exactly as in `/.well-known/openid-configuration`.',
      'Create a new object for each request, and synchronize the clock.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/par',
      form: { client_id: CLIENT, request: '<signed request>' },
      detail: 'The request object is not signed by a key of the client.',
    },
    guides: ['guide/fapi.md', 'guide/openid.md'],
  },
  INSUFFICIENT_AUTHORIZATION: {
    causes: [
      'A login inside an application needs another step. This is the normal response until the login is complete.',
      'The step in the request was rejected: `refused` contains the error code, such as `CODE_WRONG`.',
    ],
    fixes: [
      'Show the user the steps in `needs`, and send one of them with `auth_session` to the same endpoint.',
      'Use the `auth_session` from the latest response.',
      'If `refused` is present, show its reason and let the user try again.',
    ],
    example: {
      request: CHALLENGE,
      form: { ...LOGIN_REQUEST, login_hint: 'ada@example.com' },
    },
    guides: ['guide/in-app-login.md'],
  },
  REDIRECT_TO_WEB: {
    causes: [
      'The login needs a step that cannot happen inside the application, such as a login at an identity provider or a consent page.',
    ],
    fixes: [
      'Open the authorization endpoint in the system browser, with `client_id` and the `request_uri` from the body.',
      'If the body has no `request_uri`, send the usual authorization request with your `redirect_uri`.',
      'The user must complete all steps again in the browser, so that no one can pass on a half-finished login.',
    ],
    example: {
      request: CHALLENGE,
      form: { ...LOGIN_REQUEST, login_hint: 'ada@acme.example' },
    },
    guides: ['guide/in-app-login.md'],
  },
  AUTH_SESSION_INVALID: {
    causes: [
      'The login inside an application has ended: it took too long, was completed, or had too many wrong codes.',
      '`auth_session` belongs to a different client or key, or was modified.',
      'An `auth_session` from an earlier response was sent after the login had moved on.',
    ],
    fixes: [
      'Start a new login without `auth_session`.',
      'Keep the value in memory only, and use the same DPoP key for all steps.',
    ],
    example: {
      request: CHALLENGE,
      form: { client_id: CLIENT, auth_session: '<old session>', password: '…' },
    },
    guides: ['guide/in-app-login.md'],
  },
} as const satisfies ErrorPages;
