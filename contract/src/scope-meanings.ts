import type { OPENID_SCOPES, RESOURCES } from './scopes.ts';

/** The scopes of the service that permit something, by resource, each with its meaning. */
export const SCOPE_MEANINGS: Readonly<
  Record<Exclude<(typeof RESOURCES)[number], '*'>, Readonly<Record<string, string>>>
> = {
  users: {
    'read:users':
      'Read users, their permissions, second factors and dependents, and invitations. Evaluate what a user is allowed to do.',
    'write:users':
      'Create, import, invite, change, recover and disable users, and remove their second factors.',
    'delete:users': 'Delete users, and revoke invitations.',
  },
  workspaces: {
    'read:workspaces': 'Read workspaces and their members.',
    'write:workspaces':
      'Create and change workspaces, add and remove members, and invite people to workspaces.',
    'delete:workspaces': 'Delete workspaces.',
  },
  roles: {
    'read:roles': 'Read roles and their scopes.',
    'write:roles': 'Create and change roles, within the scopes of the caller.',
    'delete:roles': 'Delete roles.',
  },
  agents: {
    'read:agents': 'Read agents and their dependents. Evaluate what an agent is allowed to do.',
    'write:agents': 'Create and change agents, within the scopes of the caller.',
    'delete:agents': 'Delete agents.',
  },
  apikeys: {
    'read:apikeys': 'Read API keys, without the keys themselves.',
    'write:apikeys': 'Create and rotate API keys of agents.',
    'delete:apikeys': 'Revoke API keys.',
  },
  webhooks: {
    'read:webhooks': 'Read webhooks and their deliveries.',
    'write:webhooks':
      'Create, change, test and replay webhooks. The caller also needs the scopes to read the records in their events.',
    'delete:webhooks': 'Delete webhooks.',
  },
  sessions: {
    'read:sessions': 'List the sessions of all users. Users can always list their own.',
    'delete:sessions': 'End sessions of other users. Users can always end their own.',
  },
  events: {
    'read:events': 'Read the event log, and follow it.',
  },
  audit: {
    'read:audit':
      'Read the audit log and its checkpoints, and the activity of subjects. Explain decisions, together with the scopes to read what an explanation shows.',
  },
  tenant: {
    'read:tenant':
      'Read the tenant with its settings, branding, texts, identity providers and messages.',
    'write:tenant':
      'Change the name, the branding, the texts, the limits and the languages of the tenant, and send test messages.',
  },
  logins: {
    'write:logins':
      'Decide who can sign in as whom, how, for how long, and where secrets are sent: identity providers, mail and SMS servers, domains, and most settings. The caller must have signed in recently, and must hold every scope that any user of the tenant holds.',
  },
  tenants: {},
  keys: {
    'read:keys': 'List signing keys, without private keys.',
    'write:keys': 'Rotate signing keys.',
    'delete:keys': 'Retire signing keys immediately.',
  },
  clients: {
    'read:clients':
      'Read applications, registration tokens, event streams of applications, and resources.',
    'write:clients':
      'Create and change applications and their secrets, registration tokens, event streams and resources. Register applications at the registration endpoint.',
    'delete:clients': 'Delete applications, registration tokens, event streams and resources.',
  },
  consents: {
    'read:consents': 'List the consents of all users. Users can always list their own.',
    'delete:consents': 'Revoke consents of other users. Users can always revoke their own.',
  },
};

/** What each scope of OpenID Connect requests. */
export const OPENID_MEANINGS: Readonly<Record<(typeof OPENID_SCOPES)[number], string>> = {
  openid: 'An ID token, and access to userinfo.',
  profile:
    'The user’s `name` and `picture`; claims from the metadata of the user: `given_name`, `middle_name`, `family_name`, `nickname`, `preferred_username`, `profile`, `website`, `gender`, `birthdate`, `locale`, `zoneinfo`, and `updated_at`.',
  email: 'The claims `email` and `email_verified`.',
  phone: 'The claims `phone_number` and `phone_number_verified`.',
  offline_access:
    'Refresh tokens, for access while the user is absent. They remain valid after the login in the browser ends.',
};
