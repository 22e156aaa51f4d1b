import { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { FieldSchema } from './facts.ts';

/** Routes that the console calls: all routes of these groups. */
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

/** Routes that need no token, but that the console calls as well. */
export const OPEN: readonly string[] = ['apikeys.report'];
/** Routes whose response is read as a stream. */
export const STREAMS: readonly string[] = ['events.stream'];

interface Form {
  readonly route: string;
  /** The part of the body that the form fills in, as names separated by `/`; default: the whole body. */
  readonly part?: string;
  /** The record that has the defaults of the fields. */
  readonly record?: FieldSchema;
}

/** Request bodies with a form, by the name of their facts. */
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
