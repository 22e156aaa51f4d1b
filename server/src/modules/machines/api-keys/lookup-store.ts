import type { TenantId } from '@keywright/contract/ids';
import { findApiKeys } from '../../../../sql/machines/kw_find_api_keys.ts';
import { readApiKey, type ReadApiKeyRow } from '../../../../sql/machines/kw_read_api_key.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';

/** A presented key, within its tenant. */
export interface Presented {
  readonly tenantId: TenantId;
  readonly hash: Buffer;
  /** A cache key of both, different for any other key. */
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
  const [row] = await gate.callMany(findApiKeys, {
    tenants: asked.map((key) => key.tenantId),
    hashes: asked.map((key) => key.hash),
    now,
  });
  const found = row?.answer.split(',') ?? [];
  const versions = new Map(asked.map((key, index) => [key.place, found[index] || undefined]));
  return keys.map((key) => versions.get(key.place));
}

/** A key and its agent, at one version of both. */
export type KeyAndAgentRow = ReadApiKeyRow;

export async function findKeyAndAgent(
  tenant: TenantData,
  hash: Buffer,
): Promise<KeyAndAgentRow | undefined> {
  const [row] = await tenant.call(readApiKey, { hash });
  return row;
}
