import assert from 'node:assert/strict';
import type { Check } from './function-check.ts';
import type { Seeded } from './seed.ts';

const FOREVER = ['created_at', true, 'infinity', ''];

/** The functions that lists of users come from. */
export const USER_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_list_users: async ({ own, foreign, rows }) => {
    const list = async (tenant: Seeded, ...rest: readonly unknown[]) => {
      const call = 'kw_list_users($1, $2, $3, $4, $5, $6, $7, $8, $9)';
      const [row] = await rows(call, tenant.tenantId, ...rest);
      return [idsIn(row), row?.['counted']];
    };
    for (const one of [own, foreign]) {
      assert.deepEqual(await list(one, ...FOREVER, null, 0, 9, 9), [[one.userId], 1]);
      const byIdentifier = ['identifier', false, '', '', null, 0, 9, 0];
      assert.deepEqual(await list(one, ...byIdentifier), [[one.userId], 0]);
      const byAge = ['created_at', false, '-infinity', '', null, 0, 9, 0];
      assert.deepEqual(await list(one, ...byAge), [[one.userId], 0]);
    }
    const both = [own.userId, foreign.userId];
    const these = [null, null, null, null, null, null, null, 0, both];
    const call = 'kw_list_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';
    const [row] = await rows(call, own.tenantId, ...these);
    assert.deepEqual(idsIn(row), [own.userId]);
    assert.deepEqual(row?.['roles'], [[own.userId, own.role]]);
    assert.deepEqual(row?.['workspaces'], [[own.userId, own.workspaceId]]);
    assert.deepEqual(await list(own, ...FOREVER, own.identifier, 0, 9, 0), [[own.userId], 0]);
    assert.deepEqual(await list(own, ...FOREVER, foreign.identifier, 0, 9, 0), [[], 0]);
  },

  kw_search_users: async ({ own, foreign, rows, value }) => {
    const search = async (tenant: Seeded, part: string, most = 9) => {
      const values = [tenant.tenantId, `%${part}%`, part, true, 'infinity', '', 0, 9, most, 99];
      const call = 'kw_search_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';
      const [row] = await rows(call, ...values);
      return [row?.['ids'], row?.['counted']];
    };
    // Both have it: each finds their own, and counts nobody else.
    assert.deepEqual(await search(own, 'somebody@'), [[own.userId], 1]);
    assert.equal(await value('current_user::text'), 'keywright_tenant');
    assert.deepEqual(await search(foreign, 'somebody@'), [[foreign.userId], 1]);
    assert.deepEqual(await search(own, foreign.identifier), [[], 0]);
    assert.deepEqual(await search(own, 'somebody@', 0), [null, 1]);
  },

  kw_user_marks: async ({ own, foreign, rows }) => {
    for (const one of [own, foreign]) {
      const marks = await rows(`kw_user_marks($1, 'identifier', 1)`, one.tenantId);
      assert.deepEqual(marks, [
        { value: one.identifier, id: one.userId, passed: 1 },
        { value: null, id: null, passed: 1 },
      ]);
    }
  },
};

function idsIn(row: Readonly<Record<string, unknown>> | undefined): unknown[] {
  return ((row?.['users'] ?? []) as unknown[][]).map(([id]) => id);
}
