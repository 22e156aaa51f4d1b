import type { Fail } from '@keywright/contract/errors';
import { type ApiKeyId, parseApiKeyId } from '@keywright/contract/ids';
import {
  API_KEY_DAYS,
  type ApiKeyRecord,
  type CreatedApiKey,
} from '@keywright/contract/records/api-key';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createApiKey, listApiKeys } from '@keywright/contract/routes/api-keys';
import { missingScopes } from '@keywright/contract/scopes';
import { newApiKeyId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { type Caller, nameOf } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { requireKnownScopes, requireMayActOnAgent } from '../agents/index.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { requireNetworks } from './allowed-ips.ts';
import { presentApiKey } from './present.ts';
import { recordCreation, recordRevocation } from './recorded.ts';
import { mintApiKey, shownPrefix } from './secret.ts';
import {
  type ApiKeyRow,
  countApiKeys,
  findApiKey,
  findApiKeys,
  insertApiKey,
  type NewApiKeyRow,
  revokeApiKeyRow,
} from './store.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

export async function listApiKeysPage(
  tenant: TenantData,
  query: QueryOf<typeof listApiKeys>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'apikeys'], query, query.sort ?? '-created_at', fail);
  const { agent_id: agentId } = query;
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findApiKeys(tx, page, agentId), await countApiKeys(tx, agentId)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentApiKey);
}

export async function getApiKeyById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<ApiKeyRecord> {
  const keyId = parseApiKeyId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findApiKey(tx, keyId));
  return row ? presentApiKey(row) : fail('NOT_FOUND');
}

/** The caller, the time, and the idempotency key if one was sent. */
export interface RequestContext {
  readonly caller: Caller;
  readonly now: Date;
  readonly repeatable: RepeatableRequest | undefined;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>;

/** Creates a key of an agent. Only this answer shows it; a repeated request does not. */
export async function createApiKeyOf(
  tenant: TenantData,
  context: RequestContext,
  asked: BodyOf<typeof createApiKey>,
  fail: Refuse,
): Promise<CreatedApiKey> {
  const { name, expires_in_days: days = API_KEY_DAYS.usual, scopes, allowed_ips } = asked;
  if (allowed_ips) requireNetworks(allowed_ips, fail);
  return showingOnce(tenant, context, fail, async (tx, write) => {
    const agent = await requireMayActOnAgent(tx, context.caller, asked.agent_id, fail);
    await requireKnownScopes(tx, scopes ?? [], fail);
    requireWithin(agent.scopes, scopes ?? [], fail);
    return write({
      agent_id: agent.id,
      name,
      scopes: scopes ?? null,
      allowed_ips: allowed_ips ?? null,
      expires_at: new Date(context.now.getTime() + days * DAY_MS),
    });
  });
}

type Wanted = Pick<NewApiKeyRow, 'agent_id' | 'name' | 'scopes' | 'allowed_ips' | 'expires_at'>;
type Write = (wanted: Wanted) => Promise<ApiKeyRow>;

/** Creates a key within a transaction that may be repeated. The stored answer lacks the key itself. */
export async function showingOnce(
  tenant: TenantData,
  { caller, now, repeatable }: RequestContext,
  fail: Fail<'VALIDATION_FAILED'>,
  work: (tx: TenantTx, write: Write, id: ApiKeyId) => Promise<ApiKeyRow>,
): Promise<CreatedApiKey> {
  const id = newApiKeyId(now);
  const key = mintApiKey();
  const identity = {
    id,
    secret_hash: sha256(key),
    prefix: shownPrefix(key),
    created_by: nameOf(caller),
    created_at: now,
  };
  const record = await once(tenant, repeatable, async (tx) => {
    const write: Write = (wanted) => insertApiKey(tx, { ...wanted, ...identity });
    const row = await work(tx, write, id);
    await recordCreation(tx, caller, row);
    return presentApiKey(row);
  });
  return record.id === id ? { ...record, key } : record;
}

/** Revokes a key, once. It is rejected from the next request on. */
export function revokeApiKey(
  tenant: TenantData,
  caller: Caller,
  id: string,
  now: Date,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ApiKeyId> {
  return tenant.transaction(async (tx) => {
    const key = await requireMayActOnKey(tx, caller, id, fail);
    const ended = await revokeApiKeyRow(tx, key.id, 'revoked', now);
    if (!ended) return fail('NOT_FOUND', { detail: 'This key is already revoked.' });
    await recordRevocation(tx, caller, ended, 'revoked');
    return key.id;
  });
}

/** A key of an agent that the caller may act on. The agent is locked until the commit. */
export async function requireMayActOnKey(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<ApiKeyRow> {
  const keyId = parseApiKeyId(id) ?? fail('NOT_FOUND');
  const key = (await findApiKey(tx, keyId)) ?? fail('NOT_FOUND');
  await requireMayActOnAgent(tx, caller, key.agent_id, fail);
  return key;
}

/** A key has no scope that its agent lacks. */
function requireWithin(
  held: readonly string[],
  wanted: readonly string[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): void {
  const missing = missingScopes(held, wanted);
  if (missing.length > 0)
    fail('SCOPE_NOT_HELD', {
      detail: `The agent of this key does not hold: ${missing.join(', ')}.`,
    });
}
