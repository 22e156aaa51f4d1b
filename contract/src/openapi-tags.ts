/** The groups of operations, by the prefix of their ids, in the order of the reference. */
export const TAGS: Readonly<Record<string, string>> = {
  auth: 'Sign in, sign out, refresh and verify tokens. Includes the token endpoint for agents.',
  flows: 'Sign in step by step, with second factors.',
  access: 'Check whether a subject is allowed to do something (OpenID AuthZEN), and why.',
  me: 'The calling user or agent.',
  identifiers: 'The caller’s email addresses and phone numbers.',
  factors: 'The caller’s second factors.',
  identities: 'The caller’s identities at identity providers.',
  delegations: 'Agents that act for the caller.',
  users: 'Users: the people who sign in.',
  invitations: 'Invitations to join the tenant.',
  sessions: 'List and end sessions.',
  tokens: 'Preview the claims of tokens.',
  workspaces: 'Workspaces of a tenant, and their members.',
  roles: 'Named sets of scopes.',
  agents: 'Machine identities.',
  apikeys: 'Long-lived keys of agents.',
  webhooks: 'Webhook endpoints and their deliveries.',
  keys: 'List, rotate and retire the tenant’s signing keys.',
  events: 'The event log.',
  audit: 'The audit log and its signed checkpoints.',
  tenants: 'Tenants and their settings, for system administrators and for the tenant itself.',
  installation: 'Nodes, database and queues, for system administrators.',
  impersonations: 'Impersonations that system administrators start in the console.',
  account: 'The user’s account page.',
  console: 'Routes that only the console uses.',
  pages: 'Assets that all pages of the service share.',
  branding: 'Logos, colors and texts of a tenant’s pages and messages.',
  passkeys: 'Origins where passkeys can be used.',
  providers: 'The tenant’s identity providers.',
  clients: 'OAuth clients: applications that log users in.',
  resources: 'Services that accept access tokens (RFC 8707).',
  signals:
    'Shared signals: events about users and sessions for receivers (OpenID SSF, CAEP, RISC).',
  consents: 'Applications that users have consented to.',
  oauth: 'Pages where users sign in to applications, and token revocation and introspection.',
  userinfo: 'Claims about users, for OAuth clients.',
  messaging: 'Messages to users: texts, tests, the delivery log and suppressed recipients.',
  key_set: 'Public signing keys, for verifying tokens.',
  discovery: 'Metadata of the authorization server and OpenID provider (RFC 8414).',
  status: 'Revocation data for verifiers: status lists and their streams.',
  service: 'Health checks, and this document.',
};

/** The group of an operation. */
export function tagOf({ id }: { readonly id: string }): string {
  return id.split('.')[0] ?? id;
}

const NAMES: Readonly<Record<string, string>> = {
  access: 'Access checks',
  account: 'Account page',
  apikeys: 'API keys',
  audit: 'Audit log',
  auth: 'Authentication',
  clients: 'Applications',
  discovery: 'Discovery',
  factors: 'Second factors',
  flows: 'Sign-in flows',
  keys: 'Signing keys',
  me: 'The caller',
  messaging: 'Email and SMS',
  oauth: 'OAuth pages and endpoints',
  pages: 'Page assets',
  providers: 'Identity providers',
  resources: 'APIs',
  signals: 'Shared signals',
  status: 'Revocation status',
  userinfo: 'UserInfo',
};

/** The name of a group for people. */
export function tagName(tag: string): string {
  const words = tag.replaceAll('_', ' ');
  return NAMES[tag] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
