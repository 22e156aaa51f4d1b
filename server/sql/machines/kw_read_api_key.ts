// Made from kw_read_api_key.sql by `npm run generate`.

import type { AgentId, ApiKeyId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ReadApiKeyRow {
  readonly version: string;
  readonly key_id: ApiKeyId;
  readonly key_scopes: string[] | null;
  readonly allowed_ips: string[] | null;
  readonly key_created_at: Date;
  readonly expires_at: Date;
  readonly id: AgentId;
  readonly tenant_id: TenantId;
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly description: string;
  readonly scopes: string[];
  readonly owner_id: UserId | null;
  readonly jwks: NonNullable<AgentRecord['jwks']> | null;
  readonly trusts: AgentRecord['trusts'];
  readonly is_active: boolean;
  readonly created_at: Date;
  readonly access_version: number;
}

export const readApiKey: Statement & TenantCall<{
  readonly hash: Buffer;
}, ReadApiKeyRow> = {
  name: 'kw_read_api_key',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_read_api_key($1, $2)',
  values: (tenant, { hash }) => [tenant, hash],
};
