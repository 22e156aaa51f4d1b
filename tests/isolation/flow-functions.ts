import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';
import { openedOf } from './login-functions.ts';

const END = new Date('2026-01-20T00:00:00Z');
const PROOF = JSON.stringify([{ method: 'password' }]);

/** The functions that flows go through. */
export const FLOW_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_begin_flow: async ({ own, foreign, value }) => {
    const { tenantId, identifier, subject } = own;
    const given = [tenantId, 'login_new', 'login', subject, identifier, null, '[]', 1, NOW, END];
    await value('kw_begin_flow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', ...given);
    const open = `(SELECT string_agg(id, ',') FROM login_flows WHERE ended_at IS NULL)`;
    assert.equal(await value(open), 'login_new', 'the older one of the identifier has ended');
    assert.notEqual(foreign.flowId, own.flowId);
  },

  kw_find_flow: async ({ own, foreign, rows }) => {
    const find = (id: string, hash: Buffer) =>
      rows('kw_find_flow($1, $2, $3)', own.tenantId, id, hash);
    const found = await find(own.flowId, own.subject);
    assert.deepEqual(
      found.map((row) => row['user_id']),
      [own.userId],
    );
    assert.deepEqual(await find(foreign.flowId, foreign.subject), []);
    assert.deepEqual(await find(own.flowId, foreign.subject), []);
  },

  kw_append_proof: async ({ own, foreign, value }) => {
    const append = (id: string, version: number) =>
      value('kw_append_proof($1, $2, $3, $4, $5)', own.tenantId, id, version, PROOF, NOW);
    assert.equal(await append(foreign.flowId, 0), false);
    assert.equal(await append(own.flowId, 1), false, 'another version');
    assert.equal(await append(own.flowId, 0), true);
    assert.equal(await append(own.flowId, 0), false, 'the same version again');
  },

  kw_end_flow: async ({ own, foreign, value }) => {
    const end = (id: string, hash: Buffer) =>
      value('kw_end_flow($1, $2, $3, $4)', own.tenantId, id, hash, NOW);
    assert.equal(await end(foreign.flowId, foreign.subject), false);
    assert.equal(await end(own.flowId, foreign.subject), false);
    assert.equal(await end(own.flowId, own.subject), true);
    assert.equal(await end(own.flowId, own.subject), false);
  },

  kw_complete_flow: async ({ own, foreign, rows, value }) => {
    const complete = async (flowId: string, version: number) => {
      const [tenants, ...rest] = openedOf([[own, own]], own.subject, own.workspaceId);
      const given = [tenants, flowId, version, ...rest];
      const places = given.map((_, index) => `$${index + 1}`).join(', ');
      const found = await rows(`kw_complete_flow(${places})`, ...given);
      return found.map(({ outcome }) => outcome);
    };
    assert.deepEqual(await complete(foreign.flowId, 0), ['refused']);
    assert.deepEqual(await complete(own.flowId, 1), ['refused'], 'another version');
    assert.deepEqual(await complete(own.flowId, 0), ['opened']);
    assert.deepEqual(await complete(own.flowId, 0), ['refused'], 'it has ended');
    assert.equal(await value('current_user::text'), 'keywright_tenant');
  },
};
