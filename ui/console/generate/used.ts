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
/** Routes whose response is not JSON, but a stream or a file. */
export const STREAMS: readonly string[] = ['events.stream', 'users.export'];

interface Form {
  /** The subject of the form: its labels are `field.<of>.<name>` in the texts. */
  readonly of: string;
  readonly route: string;
  /** The part of the body that the form fills in, as names separated by `/`; default: the whole body. */
  readonly part?: string;
  /** The record that has the defaults of the fields. */
  readonly record?: FieldSchema;
  /** Fields of the body that no form shows. */
  readonly without?: readonly string[];
}

/** Each part of a tenant's settings has a form of its own. */
const PARTS = ['config', 'branding', 'messaging'];

/** Request bodies with a form, by the name of their facts. */
export const FORMS: Readonly<Record<string, Form>> = {
  userCreate: { of: 'user', route: 'users.create' },
  invitationCreate: { of: 'invitation', route: 'invitations.create' },
  userUpdate: { of: 'user', route: 'users.update', without: ['is_active'] },
  workspaceCreate: { of: 'workspace', route: 'workspaces.create' },
  workspaceUpdate: { of: 'workspace', route: 'workspaces.update' },
  roleCreate: { of: 'role', route: 'roles.create' },
  roleUpdate: { of: 'role', route: 'roles.update' },
  agentCreate: { of: 'agent', route: 'agents.create' },
  agentUpdate: { of: 'agent', route: 'agents.update' },
  apiKeyCreate: { of: 'apiKey', route: 'apikeys.create', without: ['agent_id'] },
  clientCreate: { of: 'client', route: 'clients.create', without: ['logo_uri'] },
  clientUpdate: { of: 'client', route: 'clients.update', without: ['logo_uri'] },
  webhookCreate: { of: 'webhook', route: 'webhooks.create' },
  webhookUpdate: { of: 'webhook', route: 'webhooks.update' },
  providerCreate: {
    of: 'provider',
    route: 'providers.create',
    without: ['id', 'type', 'is_active', 'skip_test'],
  },
  providerUpdate: { of: 'provider', route: 'providers.update', without: ['is_active'] },
  resourceCreate: { of: 'resource', route: 'resources.create' },
  resourceUpdate: { of: 'resource', route: 'resources.update' },
  registrationTokenCreate: { of: 'registrationToken', route: 'clients.create_registration_token' },
  tenantCreate: { of: 'tenant', route: 'tenants.create', without: PARTS },
  tenantUpdate: {
    of: 'tenant',
    route: 'tenants.update',
    without: [...PARTS, 'domains', 'is_active'],
  },
  tenantConfig: { of: 'config', route: 'tenants.update', part: 'config', record: TenantConfig },
  tenantBranding: { of: 'branding', route: 'tenants.update', part: 'branding' },
  clientBranding: { of: 'branding', route: 'clients.update_branding', part: 'settings' },
  tenantMail: {
    of: 'mail',
    route: 'tenants.update',
    part: 'messaging/email',
    without: ['provider'],
  },
  tenantSms: { of: 'sms', route: 'tenants.update', part: 'messaging/sms' },
};
