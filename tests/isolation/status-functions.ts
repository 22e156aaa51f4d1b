import assert from 'node:assert/strict';
import { type Check, NOW, type Tested } from './function-check.ts';
import { type Seeded, STATUS_BITS } from './seed.ts';

const SOON = new Date('2026-01-15T00:10:00Z');
const SET_BITS = `(SELECT coalesce(array_agg(idx::integer ORDER BY idx), '{}') FROM status_revocations
                    WHERE tenant_id = $1)`;

/** The bits that are set after a change by the own tenant, except the seeded one. */
function setBy({ local, entered, rows, value }: Tested, change: string): Promise<number[]> {
  return entered(async () => {
    await rows(
      `(SELECT 1) AS t; ${change}; SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED`,
    );
    const set = (await value(SET_BITS, local.tenantId)) as number[];
    return set.filter((bit) => bit !== STATUS_BITS.revoked);
  });
}

/** Checks a trigger function, which writes with the rights of its caller. */
export function trigger(name: string, check: Check): Check {
  return async (tested) => {
    const { entered, value } = tested;
    await assert.rejects(
      entered(() => value(`${name}()`)),
      { code: '0A000' },
    );
    await check(tested);
  };
}

/** The database functions that assign and set the bits of status lists. */
export const STATUS_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_take_status_range: async ({ local, value }) => {
    const take = async (tenantId: string) =>
      Number(await value('kw_take_status_range($1, 10)', tenantId));
    const first = await take(local.tenantId);
    assert.equal(first, STATUS_BITS.next);
    assert.equal(await take(local.tenantId), first + 10);
    assert.equal(await value('(SELECT max(next_idx)::integer FROM status_ranges)'), first + 20);
  },

  kw_status_version: async ({ local, foreign, entered, value }) => {
    const version = (tenantId: string) =>
      entered(() => value('kw_status_version($1)::integer', tenantId));
    assert.equal(await version(local.tenantId), STATUS_BITS.version);
    assert.equal(await version(foreign.tenantId), null);
  },

  kw_revoke_bits: async ({ local, value, entered, deleteTenant }) => {
    const revoke = () =>
      entered(async () => {
        await value('kw_revoke_bits($1, $2)', local.tenantId, [77, 78, 77]);
        return value(SET_BITS, local.tenantId);
      });
    assert.deepEqual(await revoke(), [STATUS_BITS.revoked, 77, 78]);
    await deleteTenant();
    assert.deepEqual(await revoke(), [STATUS_BITS.revoked]);
  },

  kw_revoke_grants: async ({ local, foreign, entered, value }) => {
    const revoke = (grants: readonly string[], bits: readonly (number | null)[]) =>
      entered(async () => {
        await value('kw_revoke_grants($1, $2, $3)', local.tenantId, grants, bits);
        return value(SET_BITS, local.tenantId);
      });
    const { revoked, hung } = STATUS_BITS;
    assert.deepEqual(await revoke([foreign.delegationId], [null]), [revoked]);
    assert.deepEqual(await revoke([local.delegationId], [77]), [hung, revoked, 77]);
  },

  kw_revoke_session: trigger('kw_revoke_session', async (tested) => {
    const change = 'UPDATE sessions SET';
    assert.deepEqual(await setBy(tested, `${change} is_active = false`), [STATUS_BITS.session]);
    assert.deepEqual(await setBy(tested, `${change} access_version = 1`), [STATUS_BITS.session]);
    assert.deepEqual(await setBy(tested, `${change} generation = 1`), []);
  }),

  kw_revoke_api_key: trigger('kw_revoke_api_key', async (tested) => {
    const change = 'UPDATE api_keys SET';
    assert.deepEqual(await setBy(tested, `${change} revoked_at = now()`), [STATUS_BITS.key]);
    assert.deepEqual(await setBy(tested, `${change} last_used_at = now()`), []);
    assert.deepEqual(await setBy(tested, 'DELETE FROM api_keys'), [STATUS_BITS.key]);
  }),

  kw_revoke_delegation: trigger('kw_revoke_delegation', async (tested) => {
    const change = 'UPDATE delegations SET';
    for (const what of ['revoked_at = now()', 'access_version = 1', `id = 'dlg_other'`]) {
      assert.deepEqual(await setBy(tested, `${change} ${what}`), [STATUS_BITS.hung], what);
    }
    assert.deepEqual(await setBy(tested, 'DELETE FROM delegations'), [STATUS_BITS.hung]);
  }),

  kw_revoke_agent: trigger('kw_revoke_agent', async (tested) => {
    const { agent, key, hung } = STATUS_BITS;
    const all = [key, agent, hung].toSorted((bit, other) => bit - other);
    for (const what of ['is_active = false', 'access_version = 1']) {
      assert.deepEqual(await setBy(tested, `UPDATE agents SET ${what}`), all, what);
    }
    assert.deepEqual(await setBy(tested, `UPDATE agents SET name = 'b'`), []);
  }),

  kw_revoke_user: trigger('kw_revoke_user', async (tested) => {
    const { session, hung } = STATUS_BITS;
    const off = 'UPDATE users SET is_active = false';
    assert.deepEqual(await setBy(tested, off), [session, hung]);
  }),

  kw_count_reopening: trigger('kw_count_reopening', async ({ local, value, asOwner }) => {
    const version = '(SELECT access_version FROM tenants WHERE tenant_id = $1)';
    for (const [isActive, expected] of [
      [false, 0],
      [true, 1],
      [true, 1],
    ] as const) {
      const change = `is_active = ${isActive} WHERE tenant_id = '${local.tenantId}'`;
      await asOwner(`UPDATE tenants SET ${change}`);
      assert.equal(await value(version, local.tenantId), expected);
    }
  }),

  kw_keep_logos: trigger('kw_keep_logos', async ({ local, foreign, rows, asOwner }) => {
    const branding = JSON.stringify({ logo_url: 'https://x/1', logo_dark_url: 'https://x/2' });
    await asOwner(
      `UPDATE tenants SET branding = '${branding}' WHERE tenant_id = '${local.tenantId}'`,
    );
    const logos = await rows('(SELECT tenant_id, kind, url FROM logos ORDER BY 1, 2) AS t');
    const [tenant_id, url] = [local.tenantId, `https://${foreign.domain}/logo.svg`];
    assert.deepEqual(
      logos.filter((row) => row['tenant_id'] === local.tenantId),
      [
        { tenant_id, kind: 'logo', url: 'https://x/1' },
        { tenant_id, kind: 'logo_dark', url: 'https://x/2' },
      ],
    );
    for (const row of logos) {
      if (row['tenant_id'] !== local.tenantId) assert.equal(row['url'], url);
    }
  }),

  kw_revoke_impersonations: trigger(
    'kw_revoke_impersonations',
    async ({ local, foreign, value, asOwner }) => {
      const { revoked } = STATUS_BITS;
      for (const { tenantId } of [local, foreign]) {
        const hung = `'${tenantId}', '${tenantId}', '${tenantId}', 77, now()`;
        await asOwner(`INSERT INTO status_dependents VALUES (${hung})`);
      }
      for (const [isActive, expected] of [
        [false, [revoked]],
        [true, [revoked, 77]],
      ] as const) {
        const change = `is_active = ${isActive} WHERE tenant_id = '${local.tenantId}'`;
        await asOwner(`UPDATE tenants SET ${change}; SET CONSTRAINTS ALL IMMEDIATE`);
        assert.deepEqual(await value(SET_BITS, local.tenantId), expected);
      }
      await asOwner(
        `DELETE FROM status_dependents WHERE idx = 77 AND tenant_id = '${foreign.tenantId}'`,
      );
    },
  ),

  kw_end_before_delete: trigger('kw_end_before_delete', async (tested) => {
    const { session, key, agent, hung } = STATUS_BITS;
    assert.deepEqual(await setBy(tested, 'DELETE FROM users'), [session, hung]);
    assert.deepEqual(await setBy(tested, 'DELETE FROM agents'), [key, agent, hung]);
  }),

  kw_name_bit: async ({ local, foreign, entered, value }) => {
    const name = (tenant: Seeded, grant: string, version = 0) =>
      entered(async () => {
        const values = [tenant.tenantId, grant, version, 99, NOW];
        const bit = await value('kw_name_bit($1, $2, $3, $4, $5)', ...values);
        return bit === null ? null : Number(bit);
      });
    const bits = [
      ['sessionId', STATUS_BITS.session],
      ['apiKeyId', STATUS_BITS.key],
      ['agentId', STATUS_BITS.agent],
    ] as const;
    for (const [kind, bit] of bits) {
      assert.equal(await name(local, local[kind]), bit, kind);
      assert.equal(await name(local, foreign[kind]), null, kind);
      assert.equal(await name(foreign, local[kind]), null, kind);
      // A grant of another version has no bit.
      assert.equal(await name(local, local[kind], 1), null, kind);
    }
  },

  kw_attach_status_bit: async ({ local, foreign, entered, value }) => {
    const hang = (grants: readonly string[], versions: readonly number[]) =>
      entered(() =>
        value(
          'kw_attach_status_bit($1, $2, $3, $4, 99, $5, $6)',
          local.tenantId,
          grants,
          versions,
          local.tenantId,
          SOON,
          NOW,
        ),
      );
    assert.equal(await hang([local.delegationId, local.apiKeyId], [0, -1]), true);
    assert.equal(await hang([local.delegationId, foreign.apiKeyId], [0, -1]), false);
    assert.equal(await hang([local.delegationId], [1]), false);
    assert.equal(await hang([local.tenantId], [0]), true);
    assert.equal(await hang([local.tenantId], [1]), false);
    assert.equal(await hang([foreign.tenantId], [0]), false);
  },

  kw_status_changes: async ({ local, foreign, rows }) => {
    const changes = (after: number | null, most: number) =>
      rows(
        'kw_status_changes($1, $2, $3)',
        ['org_nobody', local.tenantId, foreign.tenantId],
        [0, after, STATUS_BITS.version],
        most,
      );
    const found = { place: 1, version: String(STATUS_BITS.version) };
    const set = [String(STATUS_BITS.revoked)];
    assert.deepEqual(await changes(1, 5), [{ ...found, indexes: set }]);
    assert.deepEqual(await changes(1, 0), [{ ...found, indexes: null }]);
    assert.deepEqual(await changes(null, 5), [{ ...found, indexes: [] }]);
  },

  kw_status_list: async ({ local, rows }) => {
    const read = (tenantId: string, first: number, end = first + 1000) =>
      rows('kw_status_list($1, $2, $3)', tenantId, first, end);
    const version = String(STATUS_BITS.version);
    assert.deepEqual(await read(local.tenantId, 0), [{ version, indexes: [STATUS_BITS.revoked] }]);
    assert.deepEqual(await read(local.tenantId, 1), [
      { version, indexes: [STATUS_BITS.revoked - 1] },
    ]);
    // The result contains no bits before or after the requested range.
    const { revoked, next } = STATUS_BITS;
    assert.deepEqual(await read(local.tenantId, 0, revoked), [{ version, indexes: [] }]);
    assert.deepEqual(await read(local.tenantId, revoked + 1), [{ version, indexes: [] }]);
    assert.deepEqual(await read(local.tenantId, next), []);
  },
};
