/** What a column or an argument of each name identifies, in whatever table or function it stands. */
const BY_NAME: Readonly<Record<string, string>> = {
  tenant_id: 'TenantId',
  list_tenant_id: 'TenantId',
  user_id: 'UserId',
  owner_id: 'UserId',
  workspace_id: 'WorkspaceId',
  session_id: 'SessionId',
  agent_id: 'AgentId',
  refresh_kid: 'SigningKeyId',
  successor_id: 'ApiKeyId',
  webhook_id: 'WebhookId',
  event_id: 'EventId',
  entry_id: 'AuditEntryId',
};

/** What the `id` of each table identifies. */
const BY_TABLE: Readonly<Record<string, string>> = {
  agents: 'AgentId',
  api_keys: 'ApiKeyId',
  audit_entries: 'AuditEntryId',
  audit_unsealed: 'AuditEntryId',
  delegations: 'DelegationId',
  events: 'EventId',
  former_tenants: 'TenantId',
  sessions: 'SessionId',
  signing_keys: 'SigningKeyId',
  users: 'UserId',
  webhook_deliveries: 'DeliveryId',
  webhooks: 'WebhookId',
  workspaces: 'WorkspaceId',
};

/** The branded type of a column with ids, of contract/src/ids.ts; nothing for any other column. */
export function idTypeOf(table: string, column: string): string | undefined {
  return column === 'id' ? BY_TABLE[table] : BY_NAME[column];
}
