import type { ErrorPages } from './page.ts';

const CLIENT = '/clients/client_01m7z2d5jfe9zr0j4dgg8m5yx4';

/** Errors of clients, resources and streams of signals. */
export const OAUTH_CLIENT_PAGES = {
  CLIENT_METADATA_INVALID: {
    causes: [
      'A dynamic registration contains metadata that the tenant does not accept. `errors` lists each invalid member.',
      'The scopes exceed what the registration token, the caller or the tenant allows.',
      'Members contradict each other, such as a public client with a secret, or both `jwks` and `jwks_uri`.',
    ],
    fixes: [
      'Correct the members in `errors`, and register again.',
      'Omit members to get their defaults.',
      'Request fewer scopes, or ask an administrator for a registration token that allows them.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/register',
      body: { redirect_uris: ['https://app.acme.example/callback'], scope: 'write:users' },
      headers: { Authorization: 'Bearer <registration token>' },
      errors: [{ path: '/scope', message: 'requests scopes that are not allowed' }],
    },
    guides: ['guide/let-others-register.md', 'guide/protect-an-mcp-server.md'],
  },
  REDIRECT_URI_INVALID: {
    causes: [
      'A redirect URI uses `http` for a host that is not the local machine, has a fragment, or is not an absolute URI.',
      'The host is not among the `redirect_hosts` of the registration token.',
      'A native application’s scheme has no dot: it must be a reversed domain, such as `com.acme.app:/callback`.',
    ],
    fixes: [
      'Use `https`, or `http://127.0.0.1`, `http://[::1]` or `http://localhost` for programs on the user’s own machine.',
      'Ask an administrator for a registration token that allows the host.',
      '`errors` names the URI by its position in the list.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/register',
      body: { redirect_uris: ['http://app.acme.example/callback'] },
      headers: { Authorization: 'Bearer <registration token>' },
      errors: [
        {
          path: '/redirect_uris/0',
          message:
            'must start with https://, or with http://localhost, http://127.0.0.1 or http://[::1]',
        },
      ],
    },
    guides: ['guide/let-others-register.md', 'guide/openid.md'],
  },
  REGISTRATION_TOKEN_INVALID: {
    causes: [
      'The registration sends no token, and the tenant requires one: `oauth_registration` is `token`.',
      'The registration token has expired, was deleted, or has no `uses` left.',
      'A client reads or changes its registration with another client’s token, or with an outdated one.',
    ],
    fixes: [
      'Ask an administrator for a token: `POST /clients/registration-tokens`. Send it as `Authorization: Bearer <token>`.',
      'Store `registration_access_token` and `client_secret` from the registration response.',
      'The error is the same for all of these causes, so that tokens cannot be guessed.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/register',
      body: { redirect_uris: ['https://app.acme.example/callback'] },
      headers: { Authorization: 'Bearer <used token>' },
    },
    guides: ['guide/let-others-register.md'],
  },
  REGISTRATION_OFF: {
    causes: [
      'Applications cannot register themselves in this tenant: `oauth_registration` is `off`.',
      'An MCP client tries dynamic registration first, although the tenant expects a registered client or a metadata document.',
    ],
    fixes: [
      'Register the application yourself with `POST /clients`, and configure its `client_id`.',
      'Set `oauth_registration` to `token` or `open` with `PATCH /tenants/{tenant_id}`. With `open`, registering needs no credential.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/register',
      body: { redirect_uris: ['https://app.acme.example/callback'] },
    },
    guides: ['guide/let-others-register.md', 'guide/protect-an-mcp-server.md'],
  },
  REGISTRATION_FULL: {
    causes: [
      'The tenant has as many openly registered applications as `oauth_max_registered_clients` allows.',
      'A client registers again at each start instead of storing its `client_id`.',
    ],
    fixes: [
      'Delete unused applications: `GET /clients` and `DELETE /clients/{client_id}`.',
      'Raise `oauth_max_registered_clients` with `PATCH /tenants/{tenant_id}`.',
      'Issue registration tokens instead of allowing open registration. Clients that register with a token do not count toward the limit.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/register',
      body: { redirect_uris: ['https://app.acme.example/callback'] },
    },
    guides: ['guide/let-others-register.md', 'guide/protect-an-mcp-server.md'],
  },
  TOO_MANY_REGISTRATION_TOKENS: {
    causes: [
      'The tenant has 1,000 registration tokens, which is the maximum.',
      'A script creates a token for each application and never deletes it.',
    ],
    fixes: [
      'List the tokens with `GET /clients/registration-tokens`, and delete used and expired ones.',
      'Create tokens with a short `ttl`, or one token with several `uses` for a partner.',
    ],
    example: {
      request: 'POST /clients/registration-tokens',
      body: { name: 'Partner', uses: 1 },
    },
    guides: ['guide/let-others-register.md'],
  },
  SIGNALS_REFUSED: {
    causes: [
      'The client manages or polls a stream of shared signals but is not allowed to receive them: its `shared_signals` is `none`.',
      'An administrator withdrew the permission after the client had created its stream.',
    ],
    fixes: [
      'As an administrator, set `shared_signals` with `PATCH /clients/{client_id}`.',
      'Then get a token with the scope `ssf.manage` or `ssf.read`, and repeat the request.',
    ],
    example: {
      request: 'GET /t/org_acme/oauth/ssf/streams',
      headers: { Authorization: 'Bearer <token>' },
    },
    guides: ['guide/shared-signals.md'],
  },
  TOO_MANY_STREAMS: {
    causes: [
      'The client has five streams of shared signals, which is the maximum.',
      'The receiver creates a stream at each start.',
    ],
    fixes: [
      'Read the existing streams with `GET /oauth/ssf/streams`, and use or change one of them.',
      'Delete streams that you no longer read with `DELETE /oauth/ssf/streams?stream_id=…`.',
    ],
    example: {
      request: 'POST /t/org_acme/oauth/ssf/streams',
      body: { delivery: { method: 'urn:ietf:rfc:8936' } },
      headers: { Authorization: 'Bearer <token>' },
    },
    guides: ['guide/shared-signals.md'],
  },
  TOO_MANY_CLIENTS: {
    causes: [
      'The tenant has 20,000 OAuth clients, which is the maximum.',
      'Applications register repeatedly instead of storing their `client_id`.',
    ],
    fixes: [
      'Delete unused clients with `DELETE /clients/{client_id}`.',
      'Limit open registration with `oauth_max_registered_clients`, or require registration tokens.',
      'Give customers their own tenants. The limit is per tenant.',
    ],
    example: {
      request: 'POST /clients',
      body: { name: 'Portal', kind: 'web', redirect_uris: ['https://app.acme.example/callback'] },
    },
    guides: ['guide/let-others-register.md', 'guide/tenants.md'],
  },
  RESOURCE_TAKEN: {
    causes: [
      'The tenant already has a resource with this URI. A URI identifies only one resource, because it is the audience of the resource’s tokens.',
      'A script creates the resource on each run.',
    ],
    fixes: [
      'Find the resource with `GET /resources`, and change it with `PATCH /resources/{resource_id}`.',
      'Send an `Idempotency-Key`, so that a retry of the same request succeeds.',
      'Use a different URI for each service, such as its own host or path.',
    ],
    example: {
      request: 'POST /resources',
      body: { name: 'Invoices', uri: 'https://api.acme.example', scopes: [] },
    },
    guides: ['guide/resources.md'],
  },
  TOO_MANY_RESOURCES: {
    causes: [
      'The tenant has 100 resources, which is the maximum.',
      'Each endpoint of an API was registered as a separate resource.',
    ],
    fixes: [
      'Register one resource for each API, and distinguish its parts with scopes.',
      'Delete resources that no client uses anymore with `DELETE /resources/{resource_id}`.',
    ],
    example: {
      request: 'POST /resources',
      body: { name: 'Invoices', uri: 'https://api.acme.example', scopes: [] },
    },
    guides: ['guide/resources.md'],
  },
  TOO_MANY_CLIENT_SECRETS: {
    causes: [
      'The client has two secrets, which is the maximum: the one in use, and the next one during a rotation.',
      'An earlier rotation was not finished.',
    ],
    fixes: [
      'Check which secret your deployment uses, and delete the other with `DELETE /clients/{client_id}/secrets/{secret_id}`.',
      'Then create the new one, deploy it, and delete the old one.',
    ],
    example: { request: `POST ${CLIENT}/secrets` },
    guides: ['guide/openid.md', 'guide/add-login.md'],
  },
  CLIENT_HAS_NO_SECRET: {
    causes: [
      'The client authenticates without a secret: it is public (`none`), or it signs assertions (`private_key_jwt`).',
      'The ID belongs to a different client than you expect.',
    ],
    fixes: [
      'Keep public clients public: programs in browsers and on phones cannot keep a secret, and use PKCE.',
      'For a server, set `token_endpoint_auth_method` to `client_secret_basic` or `client_secret_post` with `PATCH /clients/{client_id}`, and create the secret afterward.',
    ],
    example: { request: `POST ${CLIENT}/secrets` },
    guides: ['guide/openid.md', 'guide/browser-apps.md'],
  },
} as const satisfies ErrorPages;
