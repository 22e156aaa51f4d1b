import { setTimeout as pause } from 'node:timers/promises';
import type { Fail } from '@keywright/contract/errors';
import { type ApiKeyId, DEFAULT_TENANT, parseApiKeyId } from '@keywright/contract/ids';
import {
  API_KEY_DAYS,
  type ApiKeyRecord,
  type CreatedApiKey,
  OVERLAP_DAYS,
} from '@keywright/contract/records/api-key';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createApiKey, listApiKeys } from '@keywright/contract/routes/api-keys';
import { missingScopes } from '@keywright/contract/scopes';
import type { Clock } from '../../../platform/clock.ts';
import { newApiKeyId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import { type Caller, type Origin, nameOf } from '../../../tenancy/caller.ts';
import {
  type Gate,
  type SystemData,
  type TenantData,
  type TenantTx,
  asTenant,
} from '../../../tenancy/gate.ts';
import { type RepeatableRequest, once } from '../../../tenancy/idempotency.ts';
import { countInNetworks, rateLimitOf } from '../../authentication/attempts/index.ts';
import { type Actor, type NewEvent, anonymous, record } from '../../events/journal/index.ts';
import { hashApiKey, mintApiKey, requireNetworks, shownPrefix } from './api-key-authentication.ts';
import {
  type ApiKeyRow,
  type NewApiKeyRow,
  type RevokeReason,
  countApiKeys,
  findApiKey,
  findKeyOfAnyTenant,
  insertApiKey,
  listApiKeyRows,
  revokeApiKeyRow,
  succeedApiKey,
} from './api-keys-store.ts';
import { requireExistingScopes, requireMayActOnAgent } from './agent-service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function listApiKeysPage(
  tenant: TenantData,
  query: QueryOf<typeof listApiKeys>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'apikeys'], query, query.sort ?? '-created_at', fail);
  const { agent_id: agentId } = query;
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await listApiKeyRows(tx, page, agentId), await countApiKeys(tx, agentId)] as const,
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

/** The caller, the time and, if the request has one, the idempotency key. */
interface RequestContext {
  readonly caller: Caller;
  readonly now: Date;
  readonly repeatable: RepeatableRequest | undefined;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>;

/** Creates a key of an agent. Only this response contains the key; responses to repeated requests do not. */
export async function createKey(
  tenant: TenantData,
  context: RequestContext,
  body: BodyOf<typeof createApiKey>,
  fail: Refuse,
): Promise<CreatedApiKey> {
  const { name, expires_in_days: days = API_KEY_DAYS.usual, scopes, allowed_ips } = body;
  if (allowed_ips) requireNetworks(allowed_ips, fail);
  return createShownOnce(tenant, context, fail, async (tx, write) => {
    const agent = await requireMayActOnAgent(tx, context.caller, body.agent_id, fail);
    await requireExistingScopes(tx, scopes ?? [], fail);
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

type KeyFields = Pick<NewApiKeyRow, 'agent_id' | 'name' | 'scopes' | 'allowed_ips' | 'expires_at'>;
type Write = (fields: KeyFields) => Promise<ApiKeyRow>;

/** Creates a key in a transaction that can be retried. The stored response does not contain the key. */
async function createShownOnce(
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
  const created = await once(tenant, repeatable, async (tx) => {
    const write: Write = (fields) => insertApiKey(tx, { ...fields, ...identity });
    const row = await work(tx, write, id);
    await recordCreation(tx, caller, row);
    return presentApiKey(row);
  });
  return created.id === id ? { ...created, key } : created;
}

/** Revokes a key once. It is rejected immediately. */
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

/** Returns a key of an agent that the caller can act on, and locks the agent until the commit. */
async function requireMayActOnKey(
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

/** Requires that the agent has all scopes of its key. */
function requireWithin(
  ofAgent: readonly string[],
  requested: readonly string[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): void {
  const missing = missingScopes(ofAgent, requested);
  if (missing.length > 0)
    fail('SCOPE_NOT_HELD', {
      detail: `The agent of this key does not hold: ${missing.join(', ')}.`,
    });
}

type RefuseRotation = Fail<
  'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'APIKEY_ROTATED' | 'APIKEY_ENDED'
>;

/** Creates a successor with the same lifetime, and makes the key expire soon. */
export async function replaceApiKey(
  tenant: TenantData,
  context: RequestContext,
  id: string,
  overlapDays: number = OVERLAP_DAYS.usual,
  fail: RefuseRotation,
): Promise<CreatedApiKey> {
  const { caller, now } = context;
  return createShownOnce(tenant, context, fail, async (tx, write, successorId) => {
    const key = await requireMayActOnKey(tx, caller, id, fail);
    const { id: keyId } = key;
    const endsAt = new Date(now.getTime() + overlapDays * DAY_MS);
    if (!(await succeedApiKey(tx, keyId, successorId, endsAt, now))) {
      const present = await findApiKey(tx, keyId);
      return fail(present?.successor_id ? 'APIKEY_ROTATED' : 'APIKEY_ENDED');
    }
    if (overlapDays === 0) await revokeApiKeyRow(tx, keyId, 'rotated', now);
    await recordRotation(tx, caller, key, successorId, overlapDays);
    return write({
      agent_id: key.agent_id,
      name: key.name,
      scopes: key.scopes,
      allowed_ips: key.allowed_ips,
      expires_at: new Date(now.getTime() + lifeMs(key)),
    });
  });
}

/** The lifetime of a key, which still has its original expiry because it was not rotated. */
function lifeMs(key: ApiKeyRow): number {
  return key.expires_at.getTime() - key.created_at.getTime();
}

/** The number of reports that an address can make, and the period in seconds over which they are counted. */
export const REPORT_LIMITS = { login_attempts_limit: 60, login_attempts_window: 60 };
const REPORTER = { counter: 'reporter' as const, limits: REPORT_LIMITS };
/** Responses are delayed by a fixed time, so that timing reveals nothing. The work itself takes a few milliseconds. */
const RESPONSE_AFTER_MS = 200;

/** Reports of leaked keys. */
export class LeakReports {
  readonly #gate: Gate;
  readonly #system: SystemData;
  readonly #clock: Clock;

  constructor(gate: Gate, system: SystemData, clock: Clock) {
    this.#gate = gate;
    this.#system = system;
    this.#clock = clock;
  }

  /** Revokes a reported key. The response never reveals whether the key was valid. */
  async accept(
    text: string,
    from: Origin,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<{ received: true }> {
    // The route has no tenant, so addresses are counted in the default tenant, which always exists.
    const data = this.#gate.into(DEFAULT_TENANT);
    const wait = await countInNetworks(data, from.address, REPORTER, this.#clock.now());
    if (wait !== undefined) {
      fail('TOO_MANY_ATTEMPTS', {
        retryAfterSeconds: wait,
        limits: [rateLimitOf('address', REPORT_LIMITS)],
      });
    }
    const hash = hashApiKey(text.trim());
    const revoked = hash && this.#revoke(hash, from).catch(unlessGone);
    await Promise.all([revoked, pause(RESPONSE_AFTER_MS)]);
    return { received: true };
  }

  async #revoke(hash: Buffer, from: Origin): Promise<void> {
    await this.#system.maintain('an API key was reported as leaked', async (tx) => {
      const found = await findKeyOfAnyTenant(tx, hash);
      if (!found) return;
      await asTenant(tx, found.tenantId, async (inTenant) => {
        const ended = await revokeApiKeyRow(inTenant, found.keyId, 'leaked', this.#clock.now());
        if (ended) await recordRevocation(inTenant, anonymous(from), ended, 'leaked');
      });
    });
  }
}

/** Ignores a deleted data key: all keys of a tenant that is being deleted are already invalid. */
function unlessGone(error: unknown): void {
  if (!(error instanceof DataKeyGone)) throw error;
}

function presentApiKey(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    agent_id: row.agent_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    allowed_ips: row.allowed_ips,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoke_reason: row.revoke_reason,
    successor_id: row.successor_id,
  };
}

function eventData(key: ApiKeyRow) {
  return { key_id: key.id, agent_id: key.agent_id };
}

function recordCreation(tx: TenantTx, by: Actor, key: ApiKeyRow): Promise<void> {
  const { id, agent_id, name, scopes, allowed_ips } = key;
  return record(tx, by, {
    action: 'apikey.created',
    target: { kind: 'api_key', id },
    details: { agent_id, name, scopes, allowed_ips, expires_at: key.expires_at.toISOString() },
    events: [{ type: 'apikey.created', data: eventData(key) }],
  });
}

function recordRotation(
  tx: TenantTx,
  by: Actor,
  key: ApiKeyRow,
  successorId: ApiKeyId,
  overlapDays: number,
): Promise<void> {
  const revoked: NewEvent[] =
    overlapDays > 0
      ? []
      : [{ type: 'apikey.revoked', data: { ...eventData(key), reason: 'rotated' } }];
  return record(tx, by, {
    action: 'apikey.rotated',
    target: { kind: 'api_key', id: key.id },
    details: { agent_id: key.agent_id, successor_id: successorId, overlap_days: overlapDays },
    events: [
      { type: 'apikey.rotated', data: { ...eventData(key), successor_id: successorId } },
      ...revoked,
    ],
  });
}

/** Records that a key is rejected from now on, because it was reported or revoked. */
function recordRevocation(
  tx: TenantTx,
  by: Actor,
  key: ApiKeyRow,
  reason: RevokeReason,
): Promise<void> {
  return record(tx, by, {
    action: reason === 'leaked' ? 'apikey.reported' : 'apikey.revoked',
    target: { kind: 'api_key', id: key.id },
    details: { agent_id: key.agent_id, reason },
    events: [{ type: 'apikey.revoked', data: { ...eventData(key), reason } }],
  });
}
