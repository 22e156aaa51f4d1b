import { mintApiKey } from '@keywright/server/modules/machines/agents/api-key-authentication';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

export const GOOD_ELSEWHERE = 'a key that is good from elsewhere';

/** Well-formed API keys that are invalid in this tenant, by reason. */
export async function wrongKeys(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, () => string>>> {
  const token = await tenant.adminToken();
  const revoked = await tenant.createAgent();
  await tenant.request('DELETE', `/apikeys/${revoked.record.id}`, { token });
  const expired = await tenant.createAgent();
  await keywright.database.query('UPDATE api_keys SET expires_at = created_at WHERE id = $1', [
    expired.record.id,
  ]);
  const idle = await tenant.createAgent();
  const change = { token, body: { is_active: false } };
  await tenant.request('PATCH', `/agents/${idle.agent.id}`, change);
  const foreign = await (await keywright.tenant('elsewhere')).createAgent();
  const bound = await tenant.createAgent({}, { allowed_ips: ['192.0.2.1'] });
  return {
    'an unknown key': mintApiKey,
    'a revoked key': () => revoked.key,
    'an expired key': () => expired.key,
    'a key of an inactive agent': () => idle.key,
    'a key of another tenant': () => foreign.key,
    [GOOD_ELSEWHERE]: () => bound.key,
  };
}
