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
      'Send `X-Tenant-ID: org_…`, or call the service at one of the tenant’s host names. A new installation has the tenant `org_default`.',
      'List your tenants with `keywright tenant list`, or with `GET /tenants` as a system administrator.',
      'Behind a proxy, keep the original host name and set `KEYWRIGHT_TRUSTED_PROXIES`.',
    ],
    example: {
      request: 'GET /me',
      headers: { 'X-Tenant-ID': 'acme' },
      detail: 'The tenant was not found. Tenant IDs start with org_. Did you mean org_acme?',
    },
    guides: ['guide/tenants.md', 'guide/proxy.md'],
  },
  TENANT_INACTIVE: {
    causes: [
      'A system administrator deactivated the tenant. Until it is active again, its requests fail and its tokens are rejected.',
    ],
    fixes: [
      'As a system administrator, set `is_active` to `true` with `PATCH /tenants/{tenant_id}`, or activate the tenant in the console. Send the request with a token of the default tenant.',
      'As a customer, ask the service’s operator why the tenant was deactivated. The audit log of the default tenant records who did it.',
      'Sessions that ended when the tenant was deactivated are not restored: users must sign in again.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/tenants.md', 'guide/audit.md'],
  },
  TENANT_MISMATCH: {
    causes: [
      'The token belongs to a different tenant than the one in the request. Tokens are valid only in their own tenant.',
      'The request does not name a tenant explicitly, and its host name belongs to a different tenant than you expect.',
      'A service caches one customer’s token and uses it for another customer.',
    ],
    fixes: [
      'Set `X-Tenant-ID` to the token’s `tenant_id` claim, or use this tenant’s host name.',
      'Store tokens per tenant in your code.',
      'System administrators act in other tenants with `POST /auth/impersonate`, which returns a token of that tenant.',
    ],
    example: { request: 'GET /users', headers: { 'X-Tenant-ID': 'org_other' } },
    guides: ['guide/tenants.md', 'guide/verifying-tokens.md'],
  },
  TOKEN_INVALID: {
    causes: [
      'The request has no `Authorization` header, or the header lacks the word `Bearer`. The detail describes this case.',
      'The shell variable with the token is empty, or the token was truncated when it was copied.',
      'The access token has expired. It is valid for one hour by default (`session_timeout`); `expires_in` in the token response contains the lifetime in seconds.',
      'The session, the API key or the user behind the token was revoked, disabled or deleted.',
      'The token is for another audience: an access token for one of your resources does not work with Keywright’s own API.',
      'The token is bound to a key (DPoP), and the request has no valid proof of possession of the key.',
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
    example: {
      request: 'GET /console/api/t/org_acme/me',
      headers: { Authorization: null, 'X-Keywright-Console': '1' },
    },
    guides: ['guide/console.md', 'guide/sessions.md'],
  },
  SCOPE_REQUIRED: {
    causes: [
      'The user, agent or application does not have the scope that the route requires. The detail names it, for example `read:users`.',
      'The token was issued before the user got the role. Scopes are stored in the token; a refreshed token has the current ones.',
      'The token has fewer scopes than the caller, because of the `scope` parameter, an API key with limited scopes, or a delegation.',
    ],
    fixes: [
      'Give the caller a role with the scope, or add the scope to the agent.',
      'After a role change, refresh the token or sign in again.',
      'Call `POST /explain` to see which role, agent or delegation lacks the scope.',
    ],
    example: { request: 'GET /users', detail: 'The token lacks: read:users.' },
    guides: ['guide/agents-and-api-keys.md', 'reference/routes.md'],
  },
  SCOPE_NOT_HELD: {
    causes: [
      'The request would grant a scope that the caller does not have: in a role, for an agent, for an API key or for a client. No caller can pass on more than they have.',
      'The request acts on a user who has more permissions than the caller, for example to disable an administrator.',
      'The caller has just lost the scope. The service checks current permissions, not only those in the token.',
      'The caller acts for a user. Delegated permissions cannot be passed on.',
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
      'An agent or an application that acts for a user tries to manage that user’s account: password, identifiers, factors, roles, sessions or delegations.',
      'An integration uses a delegated token for administration.',
    ],
    fixes: [
      'Let the user make the change: on the account page, or with a token from their own login.',
      'For administration, use an administrator’s credential that does not act for this user.',
      'The rule has no exception. Otherwise an agent could keep access after the user ends the delegation.',
    ],
    example: { request: 'DELETE /users/user:01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/delegation.md', 'guide/token-exchange.md', 'guide/account-page.md'],
  },
  SYSTEM_ADMINISTRATOR_REQUIRED: {
    causes: [
      'The route manages the installation, and the caller is not a system administrator. A tenant’s administrators manage only that tenant.',
      'The request changes a tenant’s `domains`, `is_active` or `issuer`, which only system administrators can change.',
      'A list request filters by the `tenant_id` of another tenant.',
    ],
    fixes: [
      'Use the token of a user who has the role `system_admin` in the default tenant, and send `X-Tenant-ID: org_default`.',
      'Create a system administrator with `keywright admin create` on the service’s machine.',
      'As a tenant’s administrator, omit these fields and the filter.',
    ],
    example: {
      request: 'PATCH /tenants/org_acme',
      body: { domains: ['login.acme.example'] },
    },
    guides: ['guide/tenants.md', 'guide/command-line.md'],
  },
  ADMINISTRATOR_REQUIRED: {
    causes: [
      'An agent, or a caller that acts for a user, calls a route that manages agents, API keys or login settings. These routes require an administrator who signed in.',
      'An API key was exchanged for a token, which is still an agent’s token.',
    ],
    fixes: [
      'Sign in as a user with the required role, and send this token.',
      'In automation, create agents and keys ahead of time. If the route allows it, a key can rotate itself.',
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
      'A form submission or a request to a Keywright page came from another origin. Browsers report the origin in `Origin` and `Sec-Fetch-Site`.',
      'A proxy changes the host name or the scheme, so that the browser’s origin does not match the tenant’s issuer.',
      'A page in your application posts directly to a Keywright page.',
    ],
    fixes: [
      'Open the page at the issuer’s URL, and submit the form from there.',
      'Set `KEYWRIGHT_BASE_URL` to the public URL, and the tenant’s issuer to a URL with the host name that users see.',
      'From your application, use the API or OpenID Connect instead of Keywright’s forms.',
    ],
    example: {
      request: 'POST /t/org_acme/account',
      form: { section: 'sessions', action: 'end_session' },
      headers: { Origin: 'https://app.example.net' },
    },
    guides: ['guide/proxy.md', 'guide/add-login.md'],
  },
  APPLICATION_REFUSED: {
    causes: [
      'The token was issued to an OAuth client, and the route is only for users, agents and administrators. Applications’ tokens are limited to what the user consented to.',
    ],
    fixes: [
      'Use a token from a direct login with `POST /auth/login`, or an agent’s API key.',
      'For your own API, register a resource and request tokens for it.',
      'If an application needs to manage users, create an agent with the required scopes for it.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/resources.md', 'guide/agents-and-api-keys.md'],
  },
  USER_REQUIRED: {
    causes: [
      'The route is for a user’s own account, and the token belongs to an agent, an application or another caller that did not sign in as this user.',
      'An agent acts for a user. A delegation does not include the account itself.',
    ],
    fixes: [
      'Send the access token of the user’s own login: from `POST /auth/login`, or from a login flow.',
      'To change another user’s account, call the routes below `/users` as an administrator.',
      'Send users to their account page, where they manage their accounts themselves.',
    ],
    example: { request: 'POST /me/step-up', body: {} },
    guides: ['guide/account-page.md', 'guide/sessions.md'],
  },
  IMPERSONATION_REQUIRED: {
    causes: [
      'A system administrator opened another tenant in the console without giving a reason first, or the impersonation has expired.',
      'The user of the console session is not a system administrator, or lost the role.',
    ],
    fixes: [
      'Choose the tenant in the console and enter a reason. The tenant’s audit log shows it.',
      'Ask for the role `system_admin` in the default tenant if you operate the installation.',
      'In scripts, use `POST /auth/impersonate`, which returns a token instead of using the console session.',
    ],
    example: {
      request: 'GET /console/api/in/t/org_acme/users',
      headers: {
        Authorization: null,
        'X-Keywright-Console': '1',
        Cookie: '<cookies of the console>',
      },
    },
    guides: ['guide/console.md', 'guide/tenants.md', 'guide/audit.md'],
  },
  TOKEN_FOR_BROWSER_REFUSED: {
    causes: [
      'A request with the console’s cookie requested a token to act in a tenant. The console works without tokens, so that a script in the browser cannot steal one.',
    ],
    fixes: [
      'In the console, choose the tenant and enter a reason. The console then acts in it with its own session.',
      'In a script, sign in with `POST /auth/login`, and call `POST /auth/impersonate` with this access token instead of a cookie.',
    ],
    example: {
      request: 'POST /console/api/t/org_default/auth/impersonate',
      body: { tenant_id: 'org_acme', reason: 'Ticket 4711' },
      headers: { Authorization: null, 'X-Keywright-Console': '1' },
    },
    guides: ['guide/console.md', 'guide/tenants.md'],
  },
  IMPERSONATION_REFUSED: {
    causes: [
      'A system administrator acts in a tenant with a token from `POST /auth/impersonate`, and calls a route of a user’s own account, such as `/me`. The administrator is not a user of this tenant and has no account in it.',
    ],
    fixes: [
      'Call the administrator routes instead, such as `GET /users` or `PATCH /users/{user_id}`.',
      'To manage your own account, use your token from the default tenant.',
      'To see what a user sees, ask the user. No one can sign in as another user.',
    ],
    example: { request: 'GET /me' },
    guides: ['guide/tenants.md', 'guide/audit.md'],
  },
  SELF_VERIFICATION_REFUSED: {
    causes: [
      'A user with the scope `write:users` tries to set `verified` on their own identifier with `PATCH /users/{user_id}`. Users prove their own identifiers with a code; they cannot declare them verified.',
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
    guides: ['guide/account-page.md', 'guide/change-identifiers.md'],
  },
  STEP_UP_REQUIRED: {
    causes: [
      'The route is sensitive, and the token’s login is too old: by default, older than 300 seconds (`step_up_max_age`).',
      'The route requires a login with a second factor, and the user signed in without one.',
      'An administrator changes login settings, which requires a recent login.',
    ],
    fixes: [
      'Read `WWW-Authenticate`: `max_age` is the maximum age of the login in seconds, and `acr_values` is the required strength.',
      'Start a flow with `POST /me/step-up`, let the user prove a factor, and repeat the request with the new token.',
      'In an OpenID Connect application, send the user to the authorization endpoint with `max_age` or `acr_values`.',
    ],
    example: { request: 'POST /me/factors/totp', body: { name: 'Phone' } },
    guides: ['guide/second-factors.md', 'guide/sessions.md'],
  },
} as const satisfies ErrorPages;
