import { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { FieldSchema } from './facts.ts';

/** Routes that the console calls: all of these groups. */
export const GROUPS: readonly string[] = [
  'me',
  'users',
  'sessions',
  'tokens',
  'workspaces',
  'roles',
  'agents',
  'apikeys',
  'clients',
  'webhooks',
  'keys',
  'audit',
  'tenants',
  'branding',
  'messaging',
  'invitations',
  'factors',
  'access',
  'consents',
  'providers',
  'resources',
  'impersonations',
  'installation',
];

/** Routes that need no token, and are called all the same. */
export const OPEN: readonly string[] = ['apikeys.report'];
/** Routes whose answer is read as it comes. */
export const STREAMS: readonly string[] = ['events.stream'];

interface Form {
  readonly route: string;
  /** If it is not the whole body: names separated by `/`. */
  readonly part?: string;
  /** What has the defaults of its fields. */
  readonly record?: FieldSchema;
}

/** Bodies that are forms, by the name of their facts. */
export const FORMS: Readonly<Record<string, Form>> = {
  userCreate: { route: 'users.create' },
  invitationCreate: { route: 'invitations.create' },
  userUpdate: { route: 'users.update' },
  workspaceCreate: { route: 'workspaces.create' },
  workspaceUpdate: { route: 'workspaces.update' },
  roleCreate: { route: 'roles.create' },
  roleUpdate: { route: 'roles.update' },
  agentCreate: { route: 'agents.create' },
  agentUpdate: { route: 'agents.update' },
  apiKeyCreate: { route: 'apikeys.create' },
  clientCreate: { route: 'clients.create' },
  clientUpdate: { route: 'clients.update' },
  webhookCreate: { route: 'webhooks.create' },
  webhookUpdate: { route: 'webhooks.update' },
  providerCreate: { route: 'providers.create' },
  providerUpdate: { route: 'providers.update' },
  resourceCreate: { route: 'resources.create' },
  resourceUpdate: { route: 'resources.update' },
  registrationTokenCreate: { route: 'clients.create_registration_token' },
  tenantCreate: { route: 'tenants.create' },
  tenantUpdate: { route: 'tenants.update' },
  tenantConfig: { route: 'tenants.update', part: 'config', record: TenantConfig },
  tenantBranding: { route: 'tenants.update', part: 'branding' },
  tenantMail: { route: 'tenants.update', part: 'messaging/email' },
};
