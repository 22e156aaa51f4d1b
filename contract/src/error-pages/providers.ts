import type { ErrorPages } from './page.ts';

const PROVIDER = '/identity-providers/idp_01m7z2d5jfe9zr0j4dgg8m5yx4';

/** Errors of logins at identity providers. */
export const PROVIDER_PAGES = {
  TOO_MANY_IDENTITY_PROVIDERS: {
    causes: [
      'The tenant has 50 identity providers, which is the maximum.',
      'One tenant is used for many customers, each with its own provider.',
    ],
    fixes: [
      'Delete providers that are no longer used. `GET /identity-providers/{provider_id}/dependents` shows how many users depend on a provider.',
      'Create a tenant for each customer: each has its own providers, users and domain.',
    ],
    example: {
      request: 'POST /identity-providers',
      body: {
        type: 'oidc',
        name: 'Acme',
        issuer: 'https://login.acme.example',
        client_id: 'keywright',
      },
    },
    guides: ['guide/log-in-with-google.md', 'guide/tenants.md'],
  },
  PROVIDER_NOT_TESTED: {
    causes: [
      'The request activates a provider, but no test login with exactly these settings has succeeded.',
      'A setting that affects logins changed after the test, such as `client_id`, `issuer` or an endpoint.',
    ],
    fixes: [
      'Create the provider inactive, run a test with `POST /identity-providers/{provider_id}/test`, sign in at the provider, and finish the test. Then set `is_active` to `true`. The console does this with a button.',
      'In automation, send `skip_test: true` if you accept that users cannot sign in when a setting is wrong.',
    ],
    example: { request: `PATCH ${PROVIDER}`, body: { is_active: true } },
    guides: ['guide/log-in-with-google.md'],
  },
  RETURN_URL_UNKNOWN: {
    causes: [
      'Your application starts a login at a provider with a `return_url` that is not in the tenant’s `return_urls`.',
      'The URL differs in a detail: a trailing slash, the port, `http` instead of `https`, or a query.',
    ],
    fixes: [
      'Add the URL to `return_urls` with `PATCH /tenants/{tenant_id}`, exactly as your application sends it.',
      'Use one fixed URL per application, and store the page to return to in your own session instead of the query.',
      'The hosted login page does not need `return_urls`.',
    ],
    example: {
      request: 'POST /auth/flows/login_01m7z2d5jfe9zr0j4dgg8m5yx4/oauth',
      body: {
        flow_token: '<flow_token>',
        provider: 'idp_01m7z2d5jfe9zr0j4dgg8m5yx4',
        return_url: 'https://app.acme.example/back/',
      },
    },
    guides: ['guide/log-in-with-google.md', 'guide/sessions.md'],
  },
  IDENTITY_TAKEN: {
    causes: [
      'The account at the provider is already linked to another user of this tenant.',
      'The user has already linked another account at the same provider. A user can link only one account per provider.',
    ],
    fixes: [
      'Sign in with this provider to see which user has the account, and unlink the account as that user with `DELETE /me/identities/{provider_id}`.',
      'To replace the linked account, unlink the current one first, and then link the new one.',
      'If one person has two user accounts by mistake, an administrator can delete one of them.',
    ],
    example: { request: 'POST /me/identities/finish', body: { handoff: '<handoff>' } },
    guides: ['guide/log-in-with-google.md', 'guide/account-page.md'],
  },
  LAST_LOGIN_METHOD: {
    causes: [
      'A user tries to remove their last passkey or linked account, and could not sign in afterward.',
      'An administrator tries to disable or delete the last active provider in a tenant whose only login method is `oauth`.',
    ],
    fixes: [
      'As a user, set a password or add another passkey first, if the tenant allows it.',
      'As an administrator, activate another provider, or add another method to `allowed_login_methods`.',
    ],
    example: { request: 'DELETE /me/identities/idp_01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/log-in-with-google.md', 'guide/passkeys.md'],
  },
  PROVIDER_REFUSED: {
    causes: [
      'The login at the provider failed, was canceled, or took longer than 10 minutes.',
      'The settings are wrong: `client_secret` has expired, or the redirect URI that is registered at the provider is not the one that Keywright shows.',
      'The provider is unreachable, or was deactivated or changed during the login.',
      'A `handoff` was used twice, or more than a minute after the user returned.',
    ],
    fixes: [
      'Let the user start the login again.',
      'Run a test login in the console, or with `POST /identity-providers/{provider_id}/test`: it shows the reason.',
      'Look for `auth.login_failed` in the audit log: its details contain the reason.',
      'If the provider is in a private network, allow it with `KEYWRIGHT_EGRESS_ALLOW`.',
    ],
    example: {
      request: 'POST /auth/flows/login_01m7z2d5jfe9zr0j4dgg8m5yx4/oauth/finish',
      body: { flow_token: '<flow_token>', handoff: '<handoff>' },
    },
    guides: ['guide/log-in-with-google.md', 'guide/outgoing-calls.md', 'guide/audit.md'],
  },
  DOMAIN_OF_OTHER_PROVIDER: {
    causes: [
      'Another identity provider of this tenant has the domain. A domain sends all users with its email addresses to one provider.',
      'You are replacing a provider, and the old one still has the domain.',
    ],
    fixes: [
      'Remove the domain from the other provider with `DELETE /identity-providers/{provider_id}/domains/{domain}`, then add it here and verify it again.',
      'For two departments with different providers, use subdomains, or let people choose the provider on the login page.',
    ],
    example: { request: `POST ${PROVIDER}/domains`, body: { domain: 'acme.example' } },
    guides: ['guide/domain-routing.md', 'guide/log-in-with-google.md'],
  },
  DOMAIN_NOT_PROVEN: {
    causes: [
      'DNS does not have the domain’s TXT record yet. It can take hours until all resolvers have a new record.',
      'The record is at the wrong name. Many DNS providers append the domain to what you enter.',
      'The value is incomplete, or is from another provider or an earlier attempt.',
      'The DNS servers that the service’s machine uses do not respond.',
    ],
    fixes: [
      'Compare the record with the domain’s `txt_name` and `txt_value`: `dig +short TXT <txt_name>`.',
      'Wait, and verify again. The values do not change.',
      'Enter the name without the domain if your DNS provider appends it.',
    ],
    example: { request: `POST ${PROVIDER}/domains/acme.example/verify` },
    guides: ['guide/domain-routing.md', 'guide/log-in-with-google.md'],
  },
} as const satisfies ErrorPages;
