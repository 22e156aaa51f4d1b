import type { Fail } from '@keywright/contract/errors';
import { type CreatedApiKey, OVERLAP_DAYS } from '@keywright/contract/records/api-key';
import type { TenantData } from '../../../tenancy/gate.ts';
import { recordRotation } from './recorded.ts';
import { type RequestContext, DAY_MS, requireMayActOnKey, showingOnce } from './service.ts';
import { type ApiKeyRow, findApiKey, revokeApiKeyRow, succeedApiKey } from './store.ts';

type Refuse = Fail<
  'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'APIKEY_ROTATED' | 'APIKEY_ENDED'
>;

/** Creates a successor with the same lifetime, and lets the key expire soon. */
export async function rotate(
  tenant: TenantData,
  context: RequestContext,
  id: string,
  overlapDays: number = OVERLAP_DAYS.usual,
  fail: Refuse,
): Promise<CreatedApiKey> {
  const { caller, now } = context;
  return showingOnce(tenant, context, fail, async (tx, write, successorId) => {
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

/** The lifetime of a key. One that was not rotated still has its original expiry. */
function lifeMs(key: ApiKeyRow): number {
  return key.expires_at.getTime() - key.created_at.getTime();
}
