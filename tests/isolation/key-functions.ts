import assert from 'node:assert/strict';
import { touchKey } from '../../server/sql/machines/kw_touch_key.ts';
import { touchClient } from '../../server/sql/oauth/kw_touch_client.ts';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';

/** The expiration time of the seeded records. */
const END = new Date('2026-02-01T00:00:00Z');

/** Checks a function that marks a value as used. */
function spends(name: string): Check {
  return async ({ own, foreign, value }) => {
    const spend = (...statements: readonly (readonly [where: Seeded, id: unknown])[]) =>
      value(
        `${name}($1, $2, $3)`,
        statements.map(([{ tenantId }]) => tenantId),
        statements.map(([, id]) => id),
        statements.map(() => END),
      );
    // Used values are recorded per tenant, and a value presented twice concurrently is accepted once.
    const twice = [own, Buffer.from(name)] as const;
    const also = [own, foreign.subject] as const;
    assert.equal(await spend([own, own.subject], twice, twice), '010');
    assert.equal(await spend([foreign, foreign.subject], also, also), '010');
  };
}

/** The database functions that authenticate API keys. */
export const KEY_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_find_api_keys: async ({ own, foreign, value, deleteOwn }) => {
    const find = (asked: readonly (readonly [where: Seeded, whose: Seeded])[], now = NOW) =>
      value(
        'kw_find_api_keys($1, $2, $3)',
        asked.map(([where]) => where.tenantId),
        asked.map(([, whose]) => whose.refreshHash),
        now,
      );
    // Each is looked up in the tenant to which it was presented, whatever else is in the batch.
    const both = [
      [own, own],
      [foreign, foreign],
    ] as const;
    assert.equal(await find([[own, foreign], ...both, [foreign, own], [own, own]]), ',0,0,,0,');
    assert.equal(await find(both, END), ',,');
    await deleteOwn();
    assert.equal(await find(both), ',0,');
    assert.equal(await find([[own, own]]), ',');
  },

  kw_spend_statements: spends('kw_spend_statements'),

  kw_spend_proofs: spends('kw_spend_proofs'),

  kw_copy_agent_to_new_key: async ({ own, entered, value }) => {
    await assert.rejects(
      entered(() => value('kw_copy_agent_to_new_key()')),
      { code: '0A000' },
    );
    await value('kw_enter($1)', own.tenantId);
    assert.equal(await value('(SELECT bool_and(agent_is_active) FROM api_keys)'), true);
  },

  kw_copy_agent_to_keys: async ({ own, entered, value, changed }) => {
    await assert.rejects(
      entered(() => value('kw_copy_agent_to_keys()')),
      { code: '0A000' },
    );
    // It needs only the rights of a caller who changes an agent.
    await value('kw_enter($1)', own.tenantId);
    assert.deepEqual(await changed('UPDATE agents SET is_active = false'), [own.tenantId]);
    const told = '(SELECT agent_is_active || $1 || agent_version FROM api_keys)';
    assert.equal(await value(told, ' '), 'false 1');
  },

  kw_read_api_key: async ({ own, foreign, rows }) => {
    const read = async (tenant: Seeded, key: Seeded) =>
      (await rows('kw_read_api_key($1, $2)', tenant.tenantId, key.refreshHash)).map(
        (row) => row['key_id'],
      );
    assert.deepEqual(await read(own, own), [own.apiKeyId]);
    assert.deepEqual(await read(own, foreign), []);
    assert.deepEqual(await read(foreign, own), []);
  },

  kw_application_keys: async ({ own, foreign, rows }) => {
    for (const { tenantId } of [own, foreign]) {
      const keys = await rows('kw_application_keys($1)', tenantId);
      assert.deepEqual(
        keys.map((key) => key['id']),
        [`key_rsa_${tenantId}`],
      );
    }
    assert.deepEqual(await rows('kw_application_keys($1)', 'org_nobody'), []);
  },

  kw_userinfo: async ({ own, foreign, value, asOwner, deleteOwn }) => {
    await asOwner(`
      UPDATE sessions SET kind = 'client', client_id = 'client_${own.tenantId}', scopes = '{openid}'
       WHERE tenant_id = '${own.tenantId}'`);
    const read = async (
      asked: readonly (readonly [where: Seeded, whose: Seeded])[],
      version = 0,
    ) => {
      const told = await value(
        'kw_userinfo($1, $2, $3, $4, $5)',
        asked.map(([where]) => where.tenantId),
        asked.map(([, whose]) => whose.sessionId),
        asked.map(() => version),
        asked.map(([, whose]) => whose.userId),
        asked.map(([, whose]) => `client_${whose.tenantId}`),
      );
      return (told as ({ identifiers: { identifier: string }[] } | null)[]).map(
        (one) => one?.identifiers[0]?.identifier,
      );
    };
    const address = `resident@${own.domain}`;
    // In a tenant, sessions and clients of another tenant are not found.
    const all = [
      [own, own],
      [own, foreign],
      [foreign, own],
      [foreign, foreign],
      [own, own],
    ] as const;
    assert.deepEqual(await read(all), [address, undefined, undefined, undefined, address]);
    assert.deepEqual(await read([[own, own]], 1), [undefined]);
    await deleteOwn();
    assert.deepEqual(await read([[own, own]]), [undefined]);
  },

  kw_private_key: async ({ own, foreign, rows }) => {
    const read = async (tenant: Seeded, key: Seeded) =>
      (await rows('kw_private_key($1, $2)', tenant.tenantId, `key_rsa_${key.tenantId}`)).map(
        (row) => row['private_key'],
      );
    assert.deepEqual(await read(own, own), [own.subject]);
    assert.deepEqual(await read(own, foreign), []);
    assert.deepEqual(await read(foreign, own), []);
  },

  kw_touch_key: async ({ own, foreign, value, batch }) => {
    const useOf = (key: string) => ({ tenant: own.tenantId, key, minute: NOW });
    await batch(touchKey, useOf(own.apiKeyId), useOf(foreign.apiKeyId));
    const used = '(SELECT string_agg(id, $1) FROM api_keys WHERE last_used_at IS NOT NULL)';
    assert.equal(await value(used, ','), own.apiKeyId);
  },

  kw_count_activity: async ({ own, foreign, value }) => {
    const noted = async ({ tenantId }: Seeded) => {
      await value('kw_enter($1)', tenantId);
      return value(
        `(SELECT string_agg(span || ' ' || counts::text, ',' ORDER BY span) FROM activity)`,
      );
    };
    const theirs = await noted(foreign);
    const counts = ['{"requests":2}', '{"requests":3,"sessions_begun":1}', '{"requests":7}'];
    const spans = ['5m', 'day', 'day'];
    const tenants = [own.tenantId, own.tenantId, 'org_unknown'];
    const seeded = new Date('2026-01-01T00:00:00Z');
    const times = [seeded, seeded, seeded];
    await value('kw_count_activity($1, $2, $3, $4, $5)', tenants, spans, times, times, counts);
    assert.equal(await noted(own), '5m {"requests": 2},day {"requests": 4, "sessions_begun": 1}');
    assert.equal(await noted(foreign), theirs);
  },

  kw_touch_client: async ({ own, foreign, value, batch }) => {
    await value('kw_enter($1)', own.tenantId);
    const version = () => value('(SELECT version FROM oauth_clients)');
    const before = await version();
    const clients = [own, foreign].map(({ tenantId }) => `client_${tenantId}`);
    const items = clients.map((client) => ({ tenant: own.tenantId, client, hour: NOW }));
    await batch(touchClient, ...items);
    const used = '(SELECT string_agg(id, $1) FROM oauth_clients WHERE last_used_at IS NOT NULL)';
    assert.equal(await value(used, ','), clients[0]);
    assert.equal(await version(), before, 'a use is no change');
  },
};
