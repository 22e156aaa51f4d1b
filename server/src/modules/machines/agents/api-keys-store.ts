import type { AgentId, ApiKeyId, TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { findApiKeys } from '../../../../sql/machines/kw_find_api_keys.ts';
import { touchKey } from '../../../../sql/machines/kw_touch_key.ts';
import { type ReadApiKeyRow, readApiKey } from '../../../../sql/machines/kw_read_api_key.ts';
import { type Page, countUpToLimit, pageOf } from '../../../platform/db/page.ts';
import {
  from,
  type Gate,
  type SystemTx,
  type TenantData,
  type TenantTx,
  update,
} from '../../../tenancy/gate.ts';
import type { Use } from '../../../tenancy/activity.ts';

/** The fields of a key's record, without the hash. */
const SHOWN = [
  'id',
  'tenant_id',
  'agent_id',
  'name',
  'prefix',
  'scopes',
  'allowed_ips',
  'created_by',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'revoke_reason',
  'successor_id',
] as const;

/** Why a key was revoked. */
export type RevokeReason = 'revoked' | 'rotated' | 'leaked';

function apiKeys(tx: TenantTx, agentId?: AgentId) {
  const all = from(tx, 'api_keys');
  return agentId === undefined ? all : all.where('agent_id', '=', agentId);
}

export function findApiKey(tx: TenantTx, id: ApiKeyId) {
  return apiKeys(tx).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;

/** A page, plus one more row if there are further rows. */
export function listApiKeyRows(
  tx: TenantTx,
  page: Page,
  agentId: AgentId | undefined,
): Promise<ApiKeyRow[]> {
  return pageOf(apiKeys(tx, agentId).select(SHOWN), page).execute();
}

export function countApiKeys(tx: TenantTx, agentId: AgentId | undefined): Promise<number> {
  return countUpToLimit(tx, apiKeys(tx, agentId).select('id'));
}

export interface NewApiKeyRow {
  readonly id: ApiKeyId;
  readonly agent_id: AgentId;
  readonly name: string;
  readonly secret_hash: Buffer;
  readonly prefix: string;
  readonly scopes: readonly string[] | null;
  readonly allowed_ips: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export function insertApiKey(tx: TenantTx, key: NewApiKeyRow): Promise<ApiKeyRow> {
  const { scopes, allowed_ips, ...rest } = key;
  return tx.db
    .insertInto('api_keys')
    .values({
      ...rest,
      tenant_id: tx.tenantId,
      scopes: scopes && [...scopes],
      allowed_ips: allowed_ips && [...allowed_ips],
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

/** Revokes a key. @returns undefined if it is unknown or was already revoked */
export function revokeApiKeyRow(
  tx: TenantTx,
  id: ApiKeyId,
  reason: RevokeReason,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  return update(tx, 'api_keys')
    .set({ revoked_at: now, revoke_reason: reason })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(SHOWN)
    .executeTakeFirst();
}

/**
 * Records the successor of a key, and makes the key expire at `endsAt` at the latest. The condition resolves races: a
 * key has at most one successor, and an ended key gets none.
 * @returns whether this successor was recorded
 */
export async function succeedApiKey(
  tx: TenantTx,
  id: ApiKeyId,
  successorId: ApiKeyId,
  endsAt: Date,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE api_keys SET successor_id = ${successorId}, expires_at = least(expires_at, ${endsAt})
     WHERE tenant_id = ${tx.tenantId} AND id = ${id}
       AND successor_id IS NULL AND kw_is_usable(revoked_at, expires_at, ${now})
    RETURNING id`.execute(tx.db);
  return rows.length > 0;
}

/** A presented key, within its tenant. */
export interface PresentedKey {
  readonly tenantId: TenantId;
  readonly hash: Buffer;
  /** A cache key from both fields, unique to this API key. */
  readonly place: string;
}

/**
 * Returns the version of each valid key and its agent, in order; undefined if a key is unknown, revoked or expired, or
 * its agent or tenant is inactive. A key that was presented several times is looked up only once.
 */
export async function findValidKeyVersions(
  gate: Gate,
  keys: readonly PresentedKey[],
  now: Date,
): Promise<(string | undefined)[]> {
  const distinct = new Map(keys.map((key) => [key.place, key]));
  const queried = [...distinct.values()];
  const [row] = await gate.callMany(findApiKeys, {
    tenants: queried.map((key) => key.tenantId),
    hashes: queried.map((key) => key.hash),
    now,
  });
  const found = row?.answer.split(',') ?? [];
  const versions = new Map(queried.map((key, index) => [key.place, found[index] || undefined]));
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

/** The key with this hash, in any tenant. */
export async function findKeyOfAnyTenant(
  tx: SystemTx,
  hash: Buffer,
): Promise<{ readonly tenantId: TenantId; readonly keyId: ApiKeyId } | undefined> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select(['tenant_id', 'id'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
  return row && { tenantId: row.tenant_id, keyId: row.id };
}

export async function writeKeyUses(gate: Gate, uses: readonly Use<ApiKeyId>[]): Promise<void> {
  await gate.callEach(
    touchKey,
    uses.map(({ tenantId: tenant, id: key, at: minute }) => ({ tenant, key, minute })),
  );
}
