// The order of the documentation. A new page of a folder that a group includes as `folder/*` needs no entry here.
// Every page of docs/ is in one group or in UNLISTED; the build and a test fail otherwise.

/**
 * A page by its path below docs/ without the extension, optionally with a label shorter than its title; all pages of a
 * folder that have no entry elsewhere; or a group.
 * @typedef {string | readonly [page: string, label: string] | Group} Item
 * @typedef {{ readonly label: string, readonly items: readonly Item[], readonly collapsed?: true }} Group
 */

/** @type {readonly Group[]} */
export const GROUPS = [
  {
    label: 'Start',
    items: [
      'start/what-is-keywright',
      ['start/quickstart', 'Quickstart'],
      'start/*',
      ['comparison', 'Compare'],
      'tutorials/*',
    ],
  },
  {
    label: 'Concepts',
    collapsed: true,
    items: [
      'concepts/tenants',
      ['concepts/users', 'Users and identifiers'],
      ['concepts/roles', 'Roles, scopes, workspaces'],
      ['concepts/agents', 'Agents and delegation'],
      ['concepts/applications', 'Applications and consent'],
      ['concepts/sessions', 'Sessions and tokens'],
      ['concepts/login-flows', 'Login flows and step-up'],
      ['concepts/events', 'Events, audit, webhooks'],
      'concepts/*',
    ],
  },
  {
    label: 'Add login',
    collapsed: true,
    items: [
      ['guide/add-login', 'Add login to an application'],
      { label: 'Frameworks', collapsed: true, items: ['frameworks/*'] },
      ['guide/browser-apps', 'Browser applications'],
      ['guide/devices', 'Devices and command lines'],
      ['guide/login-for-other-software', 'Other software'],
      ['guide/in-app-login', 'Login inside your application'],
      ['guide/sessions', 'Use the login API directly'],
      ['guide/log-out', 'Sign out'],
    ],
  },
  {
    label: 'Configure login',
    collapsed: true,
    items: [
      'guide/passkeys',
      'guide/second-factors',
      ['guide/breached-passwords', 'Breached passwords'],
      'guide/magic-links',
      ['guide/sms', 'Codes by SMS'],
      ['guide/log-in-with-google', 'Social and enterprise login'],
      ['guide/domain-routing', 'Domain routing'],
      ['guide/invite-people', 'Invitations'],
      ['guide/branding', 'Branding'],
      ['guide/languages-and-texts', 'Languages and texts'],
      ['guide/account-page', 'Account page'],
      'guide/recover-accounts',
      ['guide/change-identifiers', 'Change email addresses'],
      'guide/mail',
      'guide/mail-texts',
      'guide/bounces',
    ],
  },
  {
    label: 'Protect APIs',
    collapsed: true,
    items: [
      ['guide/protect-a-service', 'Protect a service'],
      ['guide/verifying-tokens', 'Verify tokens'],
      ['guide/libraries', 'JWT libraries'],
      ['guide/sdk', 'SDK'],
      ['guide/sdk-verify', 'SDK: verify tokens'],
      ['guide/sdk-client', 'SDK: call the API'],
      ['guide/sdk-webhooks', 'SDK: webhooks, signals'],
      ['guide/revocation', 'Revocation'],
      ['guide/resources', 'Resources'],
      ['guide/rich-authorization-requests', 'Approve one action'],
      ['guide/introspection', 'Introspection'],
      ['guide/machine-tokens', 'Tokens for machines'],
      ['guide/agents-and-api-keys', 'Agents and API keys'],
      ['guide/key-pairs', 'Key pairs for agents'],
      ['guide/workload-identity', 'Workload identity'],
      ['guide/delegation', 'Agents that act for users'],
      ['guide/token-exchange', 'Token exchange'],
      ['guide/identity-assertions', 'Identity assertions'],
      ['guide/protect-an-mcp-server', 'Protect an MCP server'],
      ['guide/let-others-register', 'Client registration'],
      ['guide/fapi', 'FAPI 2.0'],
      ['guide/events', 'Events'],
      ['guide/webhooks', 'Webhooks'],
      ['guide/shared-signals', 'Shared signals'],
    ],
  },
  {
    label: 'Operate',
    collapsed: true,
    items: [
      ['guide/containers', 'Containers'],
      ['guide/postgresql', 'PostgreSQL'],
      ['guide/embedded-database', 'Embedded database'],
      ['guide/operating', 'Install in production'],
      ['guide/proxy', 'TLS and the proxy'],
      ['guide/keys', 'Rotate keys'],
      ['guide/backup', 'Back up and restore'],
      ['guide/upgrade', 'Upgrade and add nodes'],
      ['guide/move-a-tenant', 'Move a tenant'],
      ['guide/growing', 'Scale'],
      ['guide/tenants', 'Tenants'],
      ['guide/console', 'Console'],
      ['guide/command-line', 'Command line'],
      ['guide/observability', 'Observability'],
      ['guide/audit', 'Audit log'],
      ['guide/outgoing-calls', 'Outgoing calls'],
      {
        label: 'Migrate',
        collapsed: true,
        items: [
          ['migrate', 'Overview'],
          ['migrate/auth0', 'Auth0'],
          ['migrate/keycloak', 'Keycloak'],
          ['migrate/firebase', 'Firebase'],
          ['migrate/supabase', 'Supabase'],
          ['migrate/better-auth', 'Better Auth'],
          ['migrate/logto', 'Logto'],
          ['migrate/clerk', 'Clerk'],
          ['migrate/cognito', 'Amazon Cognito'],
          ['migrate/your-own', 'Your own table'],
          'migrate/*',
        ],
      },
      'troubleshooting*',
      ['guide/accessibility', 'Accessibility'],
      'guide/*',
    ],
  },
  {
    label: 'Reference',
    collapsed: true,
    items: [
      ['reference/routes', 'API'],
      ['reference/errors', 'Errors'],
      ['reference/environment', 'Environment variables'],
      ['reference/sdk', 'SDK reference'],
      ['guide/openid', 'OpenID and OAuth support'],
      ['reference/events', 'Event types'],
      ['reference/audit', 'Audit actions'],
      'reference/*',
      'glossary*',
    ],
  },
  {
    label: 'Project',
    collapsed: true,
    items: [
      'decisions',
      ['adr', 'Architecture records'],
      ['threat-model', 'Threat model'],
      'conformance',
      'standards',
      'rules',
      ['performance', 'Performance'],
      'performance/*',
      {
        label: 'Contribute',
        items: [
          'contributing/structure',
          'contributing/where',
          ['contributing/adding-an-endpoint', 'Add an endpoint'],
          'contributing/*',
        ],
        collapsed: true,
      },
      '*',
    ],
  },
];

/**
 * Folders whose pages the sidebar does not list: they are reached from an index, to which each links.
 * @type {readonly (readonly [folder: string, index: string, label: string])[]}
 */
export const UNLISTED = [
  ['adr/*', 'adr', 'Architecture records'],
  ['decisions/*', 'decisions', 'Decisions'],
  ['errors/*', 'reference/errors', 'Errors'],
  ['reference/cli/*', 'reference/cli', 'Command line'],
  ['reference/routes/*', 'reference/routes', 'API'],
  ['reference/sdk/*', 'reference/sdk', 'SDK reference'],
];
