import type { AgentId, ApiKeyId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { lookUp } from '../../../platform/db/database.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { AgentRow } from '../agents/index.ts';

const findApiKeys = lookUp('kw_find_api_keys', 'SELECT kw_find_api_keys($1, $2, $3) AS versions');
const readApiKey = lookUp('kw_read_api_key', 'SELECT * FROM kw_read_api_key($1, $2)');

/** A key as it was presented, within its tenant. */
export interface Presented {
  readonly tenantId: TenantId;
  readonly hash: Buffer;
  /** One name for both, unlike that of any other key. */
  readonly place: string;
}

/**
 * Of each key that is good at this moment, which version of it and of its agent there is; nothing of one that
 * is not: unknown, revoked, expired, of an inactive agent or tenant. One that was presented several times is
 * asked for once.
 */
export async function findVersions(
  gate: Gate,
  keys: readonly Presented[],
  now: Date,
): Promise<(string | undefined)[]> {
  const distinct = new Map(keys.map((key) => [key.place, key]));
  const asked = [...distinct.values()];
  const tenantIds = asked.map((key) => key.tenantId);
  const values = [asked.map((key) => key.hash), now];
  const [row] = await gate.callMany<{ versions: string }>(findApiKeys, tenantIds, values);
  const found = row?.versions.split(',') ?? [];
  const versions = new Map(asked.map((key, index) => [key.place, found[index] || undefined]));
  return keys.map((key) => versions.get(key.place));
}

/** A key and its agent, at one version of both. */
export interface KeyAndAgentRow {
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
  readonly jwks: AgentRow['jwks'];
  readonly trusts: AgentRow['trusts'];
  readonly is_active: boolean;
  readonly created_at: Date;
  readonly access_version: number;
}

export async function findKeyAndAgent(
  tenant: TenantData,
  hash: Buffer,
): Promise<KeyAndAgentRow | undefined> {
  const [row] = await tenant.call<KeyAndAgentRow>(readApiKey, [hash]);
  return row;
}
