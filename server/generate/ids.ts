/** ID types by column name, in any table or function. */
const BY_NAME: Readonly<Record<string, string>> = {
  tenant_id: 'TenantId',
  list_tenant_id: 'TenantId',
  into_tenant: 'TenantId',
  user_id: 'UserId',
  owner_id: 'UserId',
  workspace_id: 'WorkspaceId',
  session_id: 'SessionId',
  parent_id: 'SessionId',
  login_id: 'SessionId',
  agent_id: 'AgentId',
  key_id: 'ApiKeyId',
  successor_id: 'ApiKeyId',
  webhook_id: 'WebhookId',
  event_id: 'EventId',
  entry_id: 'AuditEntryId',
  factor_id: 'FactorId',
  invitation_id: 'InvitationId',
  consent_id: 'ConsentId',
  provider_id: 'IdentityProviderId',
  client_id: 'OAuthClientId',
  flow_id: 'LoginFlowId',
  continues: 'LoginFlowId',
  resource_id: 'OAuthResourceId',
};

/** ID types of the `id` column, by table. */
const BY_TABLE: Readonly<Record<string, string>> = {
  agents: 'AgentId',
  api_keys: 'ApiKeyId',
  audit_entries: 'AuditEntryId',
  audit_unsealed: 'AuditEntryId',
  consents: 'ConsentId',
  delegations: 'DelegationId',
  events: 'EventId',
  former_tenants: 'TenantId',
  identity_providers: 'IdentityProviderId',
  invitations: 'InvitationId',
  login_flows: 'LoginFlowId',
  logout_deliveries: 'SessionId',
  messages: 'MessageId',
  oauth_client_secrets: 'ClientSecretId',
  oauth_clients: 'OAuthClientId',
  oauth_resources: 'OAuthResourceId',
  registration_tokens: 'RegistrationTokenId',
  sessions: 'SessionId',
  signal_streams: 'SignalStreamId',
  signing_keys: 'SigningKeyId',
  user_factors: 'FactorId',
  users: 'UserId',
  webhook_deliveries: 'DeliveryId',
  webhooks: 'WebhookId',
  workspaces: 'WorkspaceId',
};

/** Columns with such a name that identify something outside Keywright. */
const OUTSIDE: readonly string[] = ['identity_providers.client_id', 'upstream_logins.flow_id'];

/** ID types by argument name, in the singular. */
const BY_ARGUMENT: Readonly<Record<string, string>> = {
  tenant: 'TenantId',
  list_tenant: 'TenantId',
  user: 'UserId',
  device_user: 'UserId',
  workspace: 'WorkspaceId',
  session: 'SessionId',
  parent: 'SessionId',
  key: 'ApiKeyId',
  webhook: 'WebhookId',
  factor: 'FactorId',
  flow: 'LoginFlowId',
  client: 'OAuthClientId',
  login: 'SessionId',
  consent: 'ConsentId',
};

/** Returns the branded ID type of a column (contract/src/ids.ts), or undefined for a column without IDs. */
export function idTypeOf(table: string, column: string): string | undefined {
  if (OUTSIDE.includes(`${table}.${column}`)) return undefined;
  return column === 'id' ? BY_TABLE[table] : BY_NAME[column];
}

/** Returns the ID type of a function argument or of its elements. @param name without `p_` */
export function idTypeOfArgument(name: string): string | undefined {
  return BY_ARGUMENT[name] ?? BY_ARGUMENT[name.replace(/s$/, '')];
}
