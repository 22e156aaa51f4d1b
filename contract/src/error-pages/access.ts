import type { ErrorPages } from './page.ts';

/** Errors that depend on the tenant, the token and the permissions of a request. */
export const ACCESS_PAGES = {
  TENANT_NOT_FOUND: {
    causes: [
      'The request has no `X-Tenant-ID`, and its host name does not belong to a tenant.',
      'The ID is incomplete: tenant IDs start with `org_`, such as `org_acme`. A slug (`acme`), a domain or a name is not an ID.',
      'The tenant was deleted, or it exists in another installation.',
      'A proxy replaced the `Host` header, or sends `X-Forwarded-Host` without being trusted.',
    ],
    fixes: [
      'Send `X-Tenant-ID: org_…`, or call the service at a host name of the tenant. A new installation has the tenant `org_default`.',
      'List your tenants with `keywright tenant list`, or with `GET /tenants` as a system administrator.',
      'Behind a proxy, keep the original host name and set `KEYWRIGHT_TRUSTED_PROXIES`.',
    ],
    example: {
      request: 'GET /me',
      headers: { 'X-Tenant-ID': 'acme' },
      detail: 'The tenant was not found. Tenant IDs start with org_. Did you mean org_acme?',
    },
    guides: ['guide/tenants.md', 'guide/operating.md'],
  },
  TENANT_INACTIVE: {
    causes: [
      'A system administrator made the tenant inactive. Until it is active again, no request in it succeeds and its tokens are rejected.',
    ],
    fixes: [
      'As a system administrator, set `is_active` to `true` with `PATCH /tenants/{tenant_id}`, or activate the tenant in the console. Send the request with a token of the default tenant.',
      'As a customer, ask the operator of the service why the tenant was made inactive. The audit log of the default tenant records who did it.',
      'Sessions that ended when the tenant became inactive do not come back: users sign in again.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/tenants.md', 'guide/audit.md'],
  },
  TENANT_MISMATCH: {
    causes: [
      'The token belongs to another tenant than the one that the request names. Tokens are valid only in their own tenant.',
      'The request names no tenant explicitly, and its host name belongs to a different tenant than you expect.',
      'A service caches a token of one customer and uses it for another.',
    ],
    fixes: [
      'Send the `X-Tenant-ID` that equals the claim `tenant_id` of the token, or use the host name of this tenant.',
      'Store tokens per tenant in your code.',
      'System administrators act in other tenants with `POST /auth/impersonate`, which returns a token of that tenant.',
    ],
    example: { request: 'GET /users', headers: { 'X-Tenant-ID': 'org_other' } },
    guides: ['guide/tenants.md', 'guide/verifying-tokens.md'],
  },
  TOKEN_INVALID: {
    causes: [
      'The request has no `Authorization` header, or the header lacks the word `Bearer`. The detail describes this case.',
      'The shell variable with the token is empty, or the token was cut when it was copied.',
      'The access token has expired. It is valid for one hour by default (`session_timeout`); `expires_in` names the seconds.',
      'The session, the API key or the user behind the token was revoked, disabled or deleted.',
      'The token is for another audience: an access token for one of your resources does not work at the API of Keywright.',
      'The token is bound to a key (DPoP), and the request has no valid proof of it.',
    ],
    fixes: [
      'Send `Authorization: Bearer <token>`. Check with `echo ${#TOKEN}` that the variable is not empty.',
      'Refresh the session with `POST /auth/refresh`, or sign in again.',
      'Decode the token and compare `exp`, `iss` and `aud` with what you expect. The response does not say which check failed, because that would help an attacker.',
    ],
    example: { request: 'GET /me', headers: { Authorization: 'Bearer expired' } },
    guides: ['guide/sessions.md', 'guide/verifying-tokens.md', 'guide/agents-and-api-keys.md'],
  },
  BROWSER_SESSION_REQUIRED: {
    causes: [
      'The browser has no session cookie for this tenant: the user has not signed in, or the session has ended.',
      'The browser did not send the cookie, because the page is at another host name than the login: `127.0.0.1` and `localhost` are different hosts.',
      'A program without a browser calls a page or the console’s own URL below `/console/api`.',
    ],
    fixes: [
      'Sign in at the login page of the tenant, and open the page again.',
      'Use one host name everywhere: the one in the issuer of the tenant.',
      'From programs, call the API below `/api/sso/v1` with a bearer token.',
    ],
    example: { request: 'GET /console/api/t/org_acme/me', headers: { Authorization: null } },
    guides: ['guide/console.md', 'guide/sessions.md'],
  },
  SCOPE_REQUIRED: {
    causes: [
      'The user, agent or application does not have the scope that the route requires. The detail names it, for example `read:users`.',
      'The token was issued before the role was given. Scopes are in the token; a refreshed token has the current ones.',
      'The token was requested with fewer scopes than the caller has: the parameter `scope`, an API key with limited scopes, or a delegation.',
    ],
    fixes: [
      'Give the caller a role with the scope, or add the scope to the agent.',
      'Refresh the token after a change of roles, or sign in again.',
      'Use `POST /explain` to see which role, agent or delegation lacks the scope.',
    ],
    example: { request: 'GET /users', detail: 'The token lacks: read:users.' },
    guides: ['guide/agents-and-api-keys.md', 'reference/routes.md'],
  },
  SCOPE_NOT_HELD: {
    causes: [
      'The request would grant a scope that the caller does not have: in a role, for an agent, for an API key or for a client. No caller can pass on more than they have.',
      'The request acts on a user who has more permissions than the caller, for example to disable an administrator.',
      'The caller lost the scope a moment ago. The service checks the current permissions, not only those in the token.',
      'The caller acts for a user. Permissions that a user lent cannot be passed on.',
    ],
    fixes: [
      'Read the detail: it lists the missing scopes.',
      'Ask an administrator who holds these scopes to make the change, or leave them out.',
      'Give agents only the scopes of their task, and manage roles and agents as a user.',
    ],
    example: {
      request: 'POST /roles',
      body: { name: 'auditor', scopes: ['read:audit'] },
      detail: 'You do not hold: read:audit.',
    },
    guides: ['guide/agents-and-api-keys.md'],
  },
  PRINCIPAL_PROTECTED: {
    causes: [
      'An agent or an application acts for a user, and tries to manage the account of the same user: password, identifiers, factors, roles, sessions or delegations.',
      'An integration uses a delegated token for administration.',
    ],
    fixes: [
      'Let the user make the change: on the account page, or with a token from their own login.',
      'For administration, use a credential of an administrator that does not act for this user.',
      'The rule has no exception. Otherwise an agent could keep access after the user ends the delegation.',
    ],
    example: { request: 'DELETE /users/user:01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/agents-and-api-keys.md', 'guide/token-exchange.md', 'guide/account-page.md'],
  },
  SYSTEM_ADMINISTRATOR_REQUIRED: {
    causes: [
      'The route manages the installation, and the caller is not a system administrator. Administrators of a tenant manage only this tenant.',
      'The request changes `domains`, `is_active` or `issuer` of a tenant, which only system administrators can change.',
      'A list is filtered with `tenant_id` of another tenant.',
    ],
    fixes: [
      'Use the token of a user with the role `system_admin` of the default tenant, and send `X-Tenant-ID: org_default`.',
      'Create a system administrator on the machine of the service with `keywright admin create`.',
      'As an administrator of a tenant, omit these fields and the filter.',
    ],
    example: {
      request: 'PATCH /tenants/org_acme',
      body: { domains: ['login.acme.example'] },
    },
    guides: ['guide/tenants.md', 'guide/command-line.md'],
  },
  ADMINISTRATOR_REQUIRED: {
    causes: [
      'An agent, or a caller who acts for a user, calls a route that manages agents, API keys or settings of logins. These need an administrator who signed in.',
      'An API key was exchanged for a token, which is still the token of an agent.',
    ],
    fixes: [
      'Sign in as a user with the required role, and send this token.',
      'In automation, create agents and keys ahead of time, and rotate keys with the key itself if the route allows it.',
      'The rule prevents a stolen agent credential from creating more credentials.',
    ],
    example: {
      request: 'POST /agents',
      body: { name: 'reporting', scopes: ['read:users'] },
    },
    guides: ['guide/agents-and-api-keys.md', 'guide/machine-tokens.md'],
  },
  ORIGIN_REFUSED: {
    causes: [
      'A form or a request of a page of the service came from another origin. Browsers report the origin in `Origin` and `Sec-Fetch-Site`.',
      'A proxy changes the host name or the scheme, so that the origin of the browser is not the issuer of the tenant.',
      'A page of your own application posts directly to a page of the service.',
    ],
    fixes: [
      'Open the page at the URL of the issuer, and submit the form from there.',
      'Set `KEYWRIGHT_BASE_URL` to the public URL, and the issuer of the tenant to the host name that users see.',
      'From your application, use the API or OpenID Connect instead of forms of the service.',
    ],
    example: {
      request: 'POST /t/org_acme/account',
      form: { section: 'sessions', action: 'end_session' },
      headers: { Origin: 'https://app.example.net' },
    },
    guides: ['guide/operating.md', 'guide/add-login.md'],
  },
  APPLICATION_REFUSED: {
    causes: [
      'The token was issued to an OAuth client, and the route is only for users, agents and administrators. Tokens of applications are limited to what their user consented to.',
    ],
    fixes: [
      'Use a token from a direct login with `POST /auth/login`, or an API key of an agent.',
      'For an API of your own, register a resource and request tokens for it.',
      'If an application needs to manage users, give it an agent with the scopes that it needs.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/resources.md', 'guide/agents-and-api-keys.md'],
  },
  USER_REQUIRED: {
    causes: [
      'The route belongs to a user’s own account, and the token is that of an agent, an application or another caller who did not sign in as this user.',
      'An agent acts for a user. A delegation does not include the account itself.',
    ],
    fixes: [
      'Send the access token of the user’s own login: from `POST /auth/login`, or from a login flow.',
      'To change the account of another user, call the routes below `/users` as an administrator.',
      'Send users to the account page of the service, where they manage their account themselves.',
    ],
    example: { request: 'POST /me/step-up', body: {} },
    guides: ['guide/account-page.md', 'guide/sessions.md'],
  },
  IMPERSONATION_REQUIRED: {
    causes: [
      'A system administrator opened another tenant in the console without giving a reason first, or the time for this reason has passed.',
      'The user of the console session is not a system administrator, or lost the role.',
    ],
    fixes: [
      'Choose the tenant in the console and enter a reason. The audit log of the tenant shows it.',
      'Ask for the role `system_admin` in the default tenant if you operate the installation.',
      'In scripts, use `POST /auth/impersonate`, which returns a token instead of using the console session.',
    ],
    example: { request: 'GET /console/api/in/t/org_acme/users', headers: { Authorization: null } },
    guides: ['guide/console.md', 'guide/tenants.md', 'guide/audit.md'],
  },
  TOKEN_FOR_BROWSER_REFUSED: {
    causes: [
      'A request with the cookie of the console asked for a token to act in a tenant. The console works without tokens, so that a script in the browser cannot steal one.',
    ],
    fixes: [
      'In the console, choose the tenant and enter a reason. The console then acts in it with its own session.',
      'In a script, sign in with `POST /auth/login`, and call `POST /auth/impersonate` with this access token instead of a cookie.',
    ],
    example: {
      request: 'POST /console/api/t/org_default/auth/impersonate',
      body: { tenant_id: 'org_acme', reason: 'Ticket 4711' },
      headers: { Authorization: null },
    },
    guides: ['guide/console.md', 'guide/tenants.md'],
  },
  IMPERSONATION_REFUSED: {
    causes: [
      'A system administrator acts in a tenant with a token from `POST /auth/impersonate`, and calls a route of a user’s own account, such as `/me`. The administrator is not a user of this tenant and has no account in it.',
    ],
    fixes: [
      'Call the routes for administrators instead, such as `GET /users` or `PATCH /users/{user_id}`.',
      'To manage your own account, use your token of the default tenant.',
      'To see what a user sees, ask the user. No one can sign in as another user.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/tenants.md', 'guide/audit.md'],
  },
  SELF_VERIFICATION_REFUSED: {
    causes: [
      'A user with the scope `write:users` changes `verified` of their own identifier with `PATCH /users/{user_id}`. Users prove their own identifiers with a code; they cannot declare them verified.',
    ],
    fixes: [
      'Send yourself a code with `POST /me/identifiers`, and enter it with `POST /me/identifiers/verification`.',
      'Omit `verified` when you change your own record: verified identifiers remain verified.',
      'Another administrator can set the field for you.',
    ],
    example: {
      request: 'PATCH /users/user:01m7z2d5jfe9zr0j4dgg8m5yx4',
      body: { identifiers: [{ identifier: 'me@example.com', verified: true }] },
    },
    guides: ['guide/account-page.md', 'guide/magic-links.md'],
  },
  STEP_UP_REQUIRED: {
    causes: [
      'The route is sensitive, and the login of the token is too old: by default, older than 300 seconds (`step_up_max_age`).',
      'The route requires a login with a second factor, and the user signed in without one.',
      'A user with the scopes of an administrator changes settings of logins.',
    ],
    fixes: [
      'Read `WWW-Authenticate`: `max_age` is the maximum age of the login in seconds, `acr_values` the required strength.',
      'Start a flow with `POST /me/step-up`, let the user prove a factor, and repeat the request with the new token.',
      'In an OpenID Connect application, send the user to the authorization endpoint with `max_age` or `acr_values`.',
    ],
    example: { request: 'POST /me/factors/totp', body: { name: 'Phone' } },
    guides: ['guide/second-factors.md', 'guide/sessions.md'],
  },
} as const satisfies ErrorPages;
