import type { ErrorPages } from './page.ts';

/** Errors of tenants, keys, agents and webhooks. */
export const TENANT_PAGES = {
  DEFAULT_TENANT_PROTECTED: {
    causes: [
      'The request deletes or deactivates `org_default`. It is the system administrators’ tenant; without them, no one could operate the installation.',
      'A system administrator tries to impersonate in `org_default` in the console, although their session already belongs to it.',
    ],
    fixes: [
      'Keep the default tenant. It can be empty except for its administrators.',
      'Create a separate tenant for each customer, and delete these tenants instead.',
      'In `org_default`, work without impersonation.',
    ],
    example: { request: 'DELETE /tenants/org_default' },
    guides: ['guide/tenants.md'],
  },
  DOMAIN_TAKEN: {
    causes: [
      'Another tenant has one of the domains. A domain identifies its tenant, so it can belong to only one.',
      'The domain belongs to a tenant that you no longer use, or that a test created.',
    ],
    fixes: [
      'Find the tenant with `GET /tenants?search=…`, and remove the domain there first.',
      'Use a subdomain for each tenant, such as `login.acme.example`.',
      'Check a change in advance with `PATCH /tenants/{tenant_id}?dry_run=true`.',
    ],
    example: {
      request: 'PATCH /tenants/org_acme',
      body: { domains: ['login.acme.example'] },
      headers: { 'X-Tenant-ID': 'org_default' },
      detail: 'This domain belongs to another tenant: login.acme.example.',
    },
    guides: ['guide/tenants.md'],
  },
  CLAIM_RESERVED: {
    causes: [
      'A custom claim in `custom_claims` has the name of a claim that the service sets in access tokens, such as `exp`, `roles` or `tenant_id`. Replacing such a claim could grant access.',
      'The claim has one of these names, which standards define for tokens: `nbf`, `may_act`, `azp`, `nonce`, `at_hash`, `c_hash`, `s_hash`, `sub_jwk`, `events`, `toe`, `txn`, `entitlements` or `groups`.',
    ],
    fixes: [
      'Choose another name. A prefix with your own domain avoids conflicts: `https://acme.example/plan`.',
      'The detail lists the reserved names in the request.',
      'Names of user data, such as `email`, are not reserved. An application that needs the user’s email address gets it with the scope `email` of OpenID Connect, without a custom claim.',
    ],
    example: {
      request: 'PATCH /tenants/org_acme',
      body: { config: { custom_claims: { roles: { metadata: '/roles' } } } },
      detail: 'These claims are reserved: roles. Choose other names.',
    },
    guides: ['guide/tenants.md', 'guide/verifying-tokens.md'],
  },
  ROTATION_IN_PROGRESS: {
    causes: [
      'The key set already contains a new signing key with this algorithm that is not in use yet. A new key is published about five minutes before it is used, so that verifiers with a cached key set accept its tokens.',
    ],
    fixes: [
      'Wait until the new key signs. `GET /keys` shows its state and when it starts signing.',
      'If the current key is compromised, send `immediately=true`: the new key signs immediately, and verifiers with a cached key set reject its tokens until they fetch the key set again.',
    ],
    example: { request: 'POST /keys/rotate' },
    guides: ['guide/keys.md', 'guide/verifying-tokens.md'],
  },
  KEY_IN_USE: {
    causes: ['The request retires the key that currently signs the tenant’s tokens.'],
    fixes: [
      'First rotate the key with `POST /keys/rotate`, wait until the new key signs, and then retire the old one.',
      'In an emergency, rotate with `immediately=true`. After that the old key can be retired, and all tokens that it signed are rejected.',
      '`GET /keys` shows which key is current.',
    ],
    example: { request: 'DELETE /keys/key_01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/keys.md', 'guide/verifying-tokens.md'],
  },
  APIKEY_ROTATED: {
    causes: [
      'The API key already has a successor. Each key can be rotated only once.',
      'A script uses a stored key ID, although an earlier rotation created a key with a new ID.',
    ],
    fixes: [
      'Rotate the successor, which `GET /apikeys/{key_id}` names.',
      'After each rotation, store the ID and the key from the response.',
      'The old key remains valid until its overlap ends, 7 days by default, so that you can deploy the new one.',
    ],
    example: { request: 'POST /apikeys/key_01m7z2d5jfe9zr0j4dgg8m5yx4/rotate', body: {} },
    guides: ['guide/agents-and-api-keys.md'],
  },
  APIKEY_ENDED: {
    causes: ['The API key has expired or was revoked, so it cannot be rotated.'],
    fixes: [
      'Create a new key for the agent with `POST /apikeys`, and deploy it.',
      'Rotate keys before they expire: `GET /apikeys` shows `expires_at`.',
      'If the key was revoked because it leaked, check the audit log for its last uses.',
    ],
    example: { request: 'POST /apikeys/key_01m7z2d5jfe9zr0j4dgg8m5yx4/rotate', body: {} },
    guides: ['guide/agents-and-api-keys.md', 'guide/audit.md'],
  },
  TOO_MANY_WEBHOOKS: {
    causes: [
      'The tenant has 1,000 webhooks, which is the maximum.',
      'A deployment or a test creates a webhook on each run and never deletes it.',
    ],
    fixes: [
      'List the webhooks with `GET /webhooks`, and delete those that are inactive or have the same URL.',
      'Create a webhook once and change it with `PATCH`.',
      'To serve many consumers, receive the events with one webhook and distribute them yourself, or read the event log with `GET /events`.',
    ],
    example: {
      request: 'POST /webhooks',
      body: { url: 'https://hooks.acme.example/keywright', events: ['user.created'] },
    },
    guides: ['guide/webhooks.md', 'guide/events.md'],
  },
} as const satisfies ErrorPages;
