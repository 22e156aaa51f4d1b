import assert from 'node:assert/strict';
import { touchKey } from '../../server/sql/machines/kw_touch_key.ts';
import { touchClient } from '../../server/sql/oauth/kw_touch_client.ts';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';

/** The expiration time of the seeded records. */
const END = new Date('2026-02-01T00:00:00Z');

/** Checks a function that marks a value as used. */
function spends(name: string): Check {
  return async ({ local, foreign, value }) => {
    const spend = (...statements: readonly (readonly [where: Seeded, id: unknown])[]) =>
      value(
        `${name}($1, $2, $3)`,
        statements.map(([{ tenantId }]) => tenantId),
        statements.map(([, id]) => id),
        statements.map(() => END),
      );
    // Used values are recorded per tenant, and a value presented twice concurrently is accepted once.
    const twice = [local, Buffer.from(name)] as const;
    const also = [local, foreign.subject] as const;
    assert.equal(await spend([local, local.subject], twice, twice), '010');
    assert.equal(await spend([foreign, foreign.subject], also, also), '010');
  };
}

/** The database functions that authenticate API keys. */
export const KEY_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_find_api_keys: async ({ local, foreign, value, deleteTenant }) => {
    const find = (pairs: readonly (readonly [where: Seeded, whose: Seeded])[], now = NOW) =>
      value(
        'kw_find_api_keys($1, $2, $3)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.refreshHash),
        now,
      );
    // Each is looked up in the tenant to which it was presented, whatever else is in the batch.
    const both = [
      [local, local],
      [foreign, foreign],
    ] as const;
    assert.equal(
      await find([[local, foreign], ...both, [foreign, local], [local, local]]),
      ',0,0,,0,',
    );
    assert.equal(await find(both, END), ',,');
    await deleteTenant();
    assert.equal(await find(both), ',0,');
    assert.equal(await find([[local, local]]), ',');
  },

  kw_spend_statements: spends('kw_spend_statements'),

  kw_spend_proofs: spends('kw_spend_proofs'),

  kw_copy_agent_to_new_key: async ({ local, entered, value }) => {
    await assert.rejects(
      entered(() => value('kw_copy_agent_to_new_key()')),
      { code: '0A000' },
    );
    await value('kw_enter($1)', local.tenantId);
    assert.equal(await value('(SELECT bool_and(agent_is_active) FROM api_keys)'), true);
  },

  kw_copy_agent_to_keys: async ({ local, entered, value, changed }) => {
    await assert.rejects(
      entered(() => value('kw_copy_agent_to_keys()')),
      { code: '0A000' },
    );
    // It needs only the rights of a caller who changes an agent.
    await value('kw_enter($1)', local.tenantId);
    assert.deepEqual(await changed('UPDATE agents SET is_active = false'), [local.tenantId]);
    const copied = '(SELECT agent_is_active || $1 || agent_version FROM api_keys)';
    assert.equal(await value(copied, ' '), 'false 1');
  },

  kw_read_api_key: async ({ local, foreign, rows }) => {
    const read = async (tenant: Seeded, key: Seeded) =>
      (await rows('kw_read_api_key($1, $2)', tenant.tenantId, key.refreshHash)).map(
        (row) => row['key_id'],
      );
    assert.deepEqual(await read(local, local), [local.apiKeyId]);
    assert.deepEqual(await read(local, foreign), []);
    assert.deepEqual(await read(foreign, local), []);
  },

  kw_application_keys: async ({ local, foreign, rows }) => {
    for (const { tenantId } of [local, foreign]) {
      const keys = await rows('kw_application_keys($1)', tenantId);
      assert.deepEqual(
        keys.map((key) => key['id']),
        [`key_rsa_${tenantId}`],
      );
    }
    assert.deepEqual(await rows('kw_application_keys($1)', 'org_nobody'), []);
  },

  kw_userinfo: async ({ local, foreign, value, asOwner, deleteTenant }) => {
    await asOwner(`
      UPDATE sessions SET kind = 'client', client_id = 'client_${local.tenantId}', scopes = '{openid}'
       WHERE tenant_id = '${local.tenantId}'`);
    const read = async (
      pairs: readonly (readonly [where: Seeded, whose: Seeded])[],
      version = 0,
    ) => {
      const userinfo = await value(
        'kw_userinfo($1, $2, $3, $4, $5)',
        pairs.map(([where]) => where.tenantId),
        pairs.map(([, whose]) => whose.sessionId),
        pairs.map(() => version),
        pairs.map(([, whose]) => whose.userId),
        pairs.map(([, whose]) => `client_${whose.tenantId}`),
      );
      return (userinfo as ({ identifiers: { identifier: string }[] } | null)[]).map(
        (user) => user?.identifiers[0]?.identifier,
      );
    };
    const address = `resident@${local.domain}`;
    // In a tenant, sessions and clients of another tenant are not found.
    const all = [
      [local, local],
      [local, foreign],
      [foreign, local],
      [foreign, foreign],
      [local, local],
    ] as const;
    assert.deepEqual(await read(all), [address, undefined, undefined, undefined, address]);
    assert.deepEqual(await read([[local, local]], 1), [undefined]);
    await deleteTenant();
    assert.deepEqual(await read([[local, local]]), [undefined]);
  },

  kw_private_key: async ({ local, foreign, rows }) => {
    const read = async (tenant: Seeded, key: Seeded) =>
      (await rows('kw_private_key($1, $2)', tenant.tenantId, `key_rsa_${key.tenantId}`)).map(
        (row) => row['private_key'],
      );
    assert.deepEqual(await read(local, local), [local.subject]);
    assert.deepEqual(await read(local, foreign), []);
    assert.deepEqual(await read(foreign, local), []);
  },

  kw_touch_key: async ({ local, foreign, value, batch }) => {
    const useOf = (key: string) => ({ tenant: local.tenantId, key, minute: NOW });
    await batch(touchKey, useOf(local.apiKeyId), useOf(foreign.apiKeyId));
    const used = '(SELECT string_agg(id, $1) FROM api_keys WHERE last_used_at IS NOT NULL)';
    assert.equal(await value(used, ','), local.apiKeyId);
  },

  kw_count_activity: async ({ local, foreign, value }) => {
    const noted = async ({ tenantId }: Seeded) => {
      await value('kw_enter($1)', tenantId);
      return value(
        `(SELECT string_agg(span || ' ' || counts::text, ',' ORDER BY span) FROM activity)`,
      );
    };
    const theirs = await noted(foreign);
    const counts = ['{"requests":2}', '{"requests":3,"sessions_begun":1}', '{"requests":7}'];
    const spans = ['5m', 'day', 'day'];
    const tenants = [local.tenantId, local.tenantId, 'org_unknown'];
    const seeded = new Date('2026-01-01T00:00:00Z');
    const times = [seeded, seeded, seeded];
    await value('kw_count_activity($1, $2, $3, $4, $5)', tenants, spans, times, times, counts);
    assert.equal(await noted(local), '5m {"requests": 2},day {"requests": 4, "sessions_begun": 1}');
    assert.equal(await noted(foreign), theirs);
  },

  kw_touch_client: async ({ local, foreign, value, batch }) => {
    await value('kw_enter($1)', local.tenantId);
    const version = () => value('(SELECT version FROM oauth_clients)');
    const before = await version();
    const clients = [local, foreign].map(({ tenantId }) => `client_${tenantId}`);
    const items = clients.map((client) => ({ tenant: local.tenantId, client, hour: NOW }));
    await batch(touchClient, ...items);
    const used = '(SELECT string_agg(id, $1) FROM oauth_clients WHERE last_used_at IS NOT NULL)';
    assert.equal(await value(used, ','), clients[0]);
    assert.equal(await version(), before, 'a use is no change');
  },
};
