import type { AgentId, ApiKeyId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The fields of a key's record: all but the hash. */
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
  const all = tx.db.selectFrom('api_keys').where('tenant_id', '=', tx.tenantId);
  return agentId === undefined ? all : all.where('agent_id', '=', agentId);
}

export function findApiKey(tx: TenantTx, id: ApiKeyId) {
  return apiKeys(tx).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;

/** A page, plus one row if there are more. */
export function findApiKeys(
  tx: TenantTx,
  page: Page,
  agentId: AgentId | undefined,
): Promise<ApiKeyRow[]> {
  return pageOf(apiKeys(tx, agentId).select(SHOWN), page).execute();
}

export function countApiKeys(tx: TenantTx, agentId: AgentId | undefined): Promise<number> {
  return countSome(tx, apiKeys(tx, agentId).select('id'));
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

/** Revokes a key. @returns undefined when it is unknown or was already revoked */
export function revokeApiKeyRow(
  tx: TenantTx,
  id: ApiKeyId,
  reason: RevokeReason,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  return tx.db
    .updateTable('api_keys')
    .set({ revoked_at: now, revoke_reason: reason })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(SHOWN)
    .executeTakeFirst();
}

/**
 * Names the successor of a key and lets the key end at `endsAt` at the latest. The condition decides a race:
 * a key has one successor, and one that has ended gets none.
 * @returns whether it was this successor
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
