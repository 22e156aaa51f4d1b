import type { TextKey } from '../../texts/locales.ts';

const RESOURCES: Readonly<Record<string, TextKey>> = {
  users: 'users',
  workspaces: 'workspaces',
  roles: 'roles',
  agents: 'agents',
  apikeys: 'apiKeys',
  webhooks: 'webhooks',
  sessions: 'sessions',
  events: 'events',
  audit: 'audit',
  tenant: 'settings',
  logins: 'methods',
  tenants: 'tenants',
  keys: 'signingKeys',
  clients: 'clients',
  consents: 'consents',
};

/** Returns the title of a resource of permissions, such as that of `users`. */
export function titleOfResource(resource: string): TextKey | undefined {
  return RESOURCES[resource];
}
