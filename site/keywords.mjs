// Words that readers search for and the titles of pages do not have. The search treats them like words of the title.

/** @type {Readonly<Record<string, string>>} */
export const KEYWORDS = {
  'guide/add-login': 'sign in, Next.js, React, SPA, quickstart, OpenID Connect, SSO',
  'guide/agents-and-api-keys': 'service account, client credentials, machine to machine, M2M',
  'guide/account-page': 'profile, change password, my sessions',
  'guide/backup': 'pg_dump, recovery, disaster, after-restore',
  'guide/bounces': 'SES, SNS, Postmark, suppression list, spam',
  'guide/branding': 'custom design, logo, colors, theme, white label, CSS',
  'guide/breached-passwords': 'Have I Been Pwned, leaked, compromised, common passwords',
  'guide/browser-apps': 'CORS, single-page application, React, Vue',
  'guide/change-identifiers': 'update email, change phone number, account takeover, undo',
  'guide/containers': 'self-host, Docker, Docker Compose, Kubernetes, deploy, image',
  'guide/devices': 'command line tool, TV, device code, CLI login',
  'guide/domain-routing': 'home realm discovery, enterprise SSO, required provider, DNS record',
  'guide/embedded-database': 'data folder, .keywright, KEYWRIGHT_DATA_DIR, SQLite, start over',
  'guide/growing': 'scale, performance, high availability, several nodes, load balancer',
  'guide/invite-people': 'invite users, invitation, members, sign up, onboarding',
  'guide/keys': 'key rotation, signing key, master key, leaked key, emergency',
  'guide/introspection': 'introspect token, revoke token, RFC 7662, RFC 7009, token active',
  'guide/languages-and-texts': 'translate, translation, i18n, localization, locale',
  'guide/log-in-with-google':
    'log in with Google, social login, SSO, single sign-on, enterprise, GitHub, Microsoft, Entra, Okta, identity provider',
  'guide/log-out': 'sign out, logout, end session, everywhere',
  'guide/login-for-other-software':
    'Grafana, oauth2-proxy, Keycloak, Apache, nginx, reverse proxy, psql',
  'guide/machine-tokens':
    'workload identity, GitHub Actions, Kubernetes, service account, CI, client credentials',
  'guide/magic-links': 'passwordless, one-time code, OTP, verify email',
  'guide/mail': 'SMTP, email, sender, mail server',
  'guide/mail-texts': 'email text, customize, variables, notice, preview',
  migrate: 'import users, password hashes, bcrypt, switch, move',
  'guide/move-a-tenant': 'export, import, migrate a tenant',
  'guide/observability': 'metrics, Prometheus, OpenTelemetry, logs, tracing, monitoring, health',
  'guide/operating': 'self-host, install, deploy, production, systemd',
  'guide/openid': 'OAuth 2.1, OIDC, discovery, PKCE, supported standards',
  'guide/outgoing-calls': 'egress, proxy, firewall, SSRF, localhost webhook',
  'guide/passkeys': 'WebAuthn, FIDO2, biometrics, security key, domain',
  'guide/postgresql': 'self-host, Postgres, database, roles, PgBouncer',
  'guide/protect-a-service': 'middleware, Express, Fastify, Hono, Koa, verify token, API',
  'guide/protect-an-mcp-server': 'Model Context Protocol, AI agent, Claude, tools',
  'guide/proxy':
    'nginx, reverse proxy, HTTPS, certificate, load balancer, trusted proxies, X-Forwarded-For',
  'guide/recover-accounts': 'reset password, forgot password, recovery, locked out',
  'guide/rich-authorization-requests':
    'authorization_details, RAR, RFC 9396, payment, transaction, consent',
  'guide/revocation': 'revoke session, end session, kick out, block user, immediately',
  'guide/sdk': 'JavaScript, TypeScript, npm, Node.js, Deno, Bun, library, install',
  'guide/sdk-client': 'JavaScript API client, createClient, idempotency, retry',
  'guide/sdk-verify':
    'JavaScript, createVerifier, requireToken, middleware, Express, Next.js, DPoP',
  'guide/sdk-webhooks': 'JavaScript, verifyWebhook, createSignalReceiver',
  'guide/second-factors': 'MFA, 2FA, TOTP, two-factor, authenticator app, recovery codes',
  'guide/sessions': 'refresh token, access token, password login, log in with the API',
  'guide/sms': 'text message, phone number, Twilio',
  'guide/tenants':
    'organization, custom domain, multi-tenant, customers, roles, permissions, create',
  'guide/upgrade': 'update, migration, new version, node, high availability',
  'guide/verifying-tokens': 'verify JWT, validate, JWKS, public key, signature, claims',
  'start/quickstart': 'getting started, install, first start, try it',
  'guide/webhooks': 'signature, verify, retry, events, callback',
};
