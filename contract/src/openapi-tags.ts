/** The groups of operations, by the prefix of their ids, in the order of the reference. */
export const TAGS: Readonly<Record<string, string>> = {
  auth: 'Log in and out, refresh, verify tokens; the token endpoint of agents.',
  flows: 'Log in step by step, with second factors.',
  access: 'Ask whether a subject may do something (OpenID AuthZEN), and why.',
  me: 'The calling user or agent.',
  identifiers: 'Email addresses and phone numbers of the calling user.',
  factors: 'Second factors of the calling user.',
  identities: 'Identities of the calling user at providers.',
  delegations: 'Agents that act for the calling user.',
  users: 'Users, who log in.',
  invitations: 'Invitations of people to the tenant.',
  sessions: 'Sessions: list and end.',
  tokens: 'Previews of the claims of tokens.',
  workspaces: 'Workspaces of a tenant, and their members.',
  roles: 'Named sets of scopes.',
  agents: 'Machine identities.',
  apikeys: 'Long-lived keys of agents.',
  webhooks: 'Webhook endpoints and their deliveries.',
  keys: 'Signing keys of the tenant: list, rotate, retire.',
  events: 'The event log.',
  audit: 'The audit log and its checkpoints.',
  tenants: 'Tenants and their settings, for system administrators and for the tenant itself.',
  installation: 'Nodes, database and queues, for system administrators.',
  impersonations: 'Where system administrators act inside tenants, in the console.',
  account: 'The account page of the user.',
  console: 'What the console needs besides the API.',
  pages: 'What all pages of the service share.',
  branding: 'Logos on the pages of a tenant, and the words of its pages and messages.',
  passkeys: 'Where passkeys can be used.',
  providers: 'Identity providers of a tenant.',
  clients: 'OAuth clients: applications that log users in.',
  resources: 'Services that access tokens can be made for (RFC 8707).',
  signals:
    'Shared signals: events about users and sessions for receivers (OpenID SSF, CAEP, RISC).',
  consents: 'What users have consented to.',
  oauth: 'Pages on which users log in to applications; revocation and introspection.',
  userinfo: 'Claims about users, for OAuth clients.',
  messaging: 'Messages to users: texts, tests, the delivery log, suppressed addresses.',
  key_set: 'Public signing keys for verifiers.',
  discovery: 'Metadata of the authorization server and OpenID provider (RFC 8414).',
  status: 'Revocation for verifiers: status lists and their streams.',
  service: 'Health, and this document.',
};

/** The group of an operation. */
export function tagOf({ id }: { readonly id: string }): string {
  return id.split('.')[0] ?? id;
}
