import assert from 'node:assert/strict';
import { findFlowState } from '../../server/sql/authentication/kw_find_flow_state.ts';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';

const END = new Date('2026-01-20T00:00:00Z');
const PROOF = JSON.stringify([{ method: 'password' }]);

/** The database functions of login flows. */
export const FLOW_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_start_flow: async ({ local, foreign, value }) => {
    const { tenantId, identifier, subject } = local;
    const who = (id: string) => [tenantId, id, 'login', subject, identifier, null];
    const context = [false, null, null, null, null, null];
    const start = (id: string, from: string, proofs = '[]') =>
      value(
        'kw_start_flow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)',
        ...who(id),
        ...context,
        proofs,
        Buffer.from(from),
        1,
        NOW,
        END,
      );
    const open = `(SELECT string_agg(id, ',' ORDER BY id) FROM login_flows WHERE ended_at IS NULL)`;
    await start('login_w', 'here', '[{}]');
    await start('login_x', 'here');
    await start('login_y', 'there');
    await start('login_z', 'here');
    const left = [local.flowId, 'login_w', 'login_y', 'login_z'].join(',');
    assert.equal(await value(open), left, 'the older one of the same network has ended');
    assert.notEqual(foreign.flowId, local.flowId);
  },

  kw_find_refreshed: async ({ local, foreign, rows }) => {
    const find = async (whose: Seeded, hash: Buffer) => {
      const call = 'kw_find_refreshed($1, $2, $3, $4, $5)';
      const found = await rows(call, local.tenantId, whose.sessionId, hash, 30, NOW);
      return found.map((row) => [row['user_id'], row['identifier']]);
    };
    assert.deepEqual(await find(local, local.refreshHash), [[local.userId, local.identifier]]);
    assert.deepEqual(await find(local, Buffer.from('next')), []);
    assert.deepEqual(await find(foreign, foreign.refreshHash), []);
  },

  kw_lacks_enrolled_factor: async ({ local, foreign, value, asOwner }) => {
    await asOwner(`UPDATE users SET has_second_factor = true WHERE id = '${local.userId}'`);
    const lacks = (tenantId: string, userId: string, ...amr: readonly string[]) =>
      value('kw_lacks_enrolled_factor($1, $2, $3, $4)', tenantId, userId, 'aal2', amr);
    assert.equal(await lacks(local.tenantId, local.userId, 'fed', 'mfa'), true);
    assert.equal(await lacks(local.tenantId, local.userId, 'fed', 'otp', 'mfa'), false);
    assert.equal(await lacks(local.tenantId, foreign.userId, 'fed', 'mfa'), false);
    assert.equal(await lacks(foreign.tenantId, local.userId, 'fed', 'mfa'), false);
  },

  kw_find_issued_tokens: async ({ local, foreign, rows }) => {
    const find = async (whose: Seeded) => {
      const found = await rows(
        'kw_find_issued_tokens($1, $2, $3)',
        local.tenantId,
        whose.sessionId,
        NOW,
      );
      return found.map((row) => [row['user_id'], row['hash']]);
    };
    assert.deepEqual(await find(local), [[local.userId, local.refreshHash]]);
    assert.deepEqual(await find(foreign), []);
  },

  kw_find_flow_state: async ({ local, foreign, rows, batch }) => {
    const find = async ({ tenantId }: Seeded, { flowId }: Seeded, { subject }: Seeded) => {
      const found = await rows('kw_find_flow_state($1, $2, $3)', tenantId, flowId, subject);
      return found.map((row) => row['user_id']);
    };
    assert.deepEqual(await find(local, local, local), [local.userId]);
    assert.deepEqual(await find(local, foreign, foreign), []);
    assert.deepEqual(await find(local, local, foreign), []);
    assert.deepEqual(await find(foreign, foreign, foreign), [foreign.userId]);
    const flowOf = (
      { tenantId: tenant }: Seeded,
      { flowId: flow, subject: tokenHash }: Seeded,
    ) => ({
      tenant,
      flow,
      tokenHash,
    });
    const stranger = { ...local, subject: foreign.subject };
    const found = await batch(
      findFlowState,
      flowOf(local, local),
      flowOf(local, foreign),
      flowOf(local, stranger),
      flowOf(foreign, foreign),
      flowOf(foreign, local),
      flowOf(local, local),
    );
    assert.deepEqual(
      found.map(({ place, user_id: user }) => [place, user]),
      [
        [1, local.userId],
        [4, foreign.userId],
        [6, local.userId],
      ],
    );
  },

  kw_guess_flow_codes: async ({ local, foreign, rows }) => {
    const flows = [local, foreign, local, local];
    const guessed = await rows(
      "kw_guess_flow_codes($1, $2, $3, $4, '{login}', 2, 'code ', 20, 60)",
      flows.map(() => local.tenantId),
      flows.map(({ flowId }) => flowId),
      [local.subject, foreign.subject, local.subject, local.subject],
      flows.map(() => NOW),
    );
    assert.deepEqual(
      guessed.map((row) => [row['place'], row['challenge_id'], row['guesses_left']]),
      [
        [1, local.challengeId, 1],
        [3, local.challengeId, 0],
        [4, null, null],
      ],
    );
  },

  kw_append_proof: async ({ local, foreign, value }) => {
    const append = (id: string, version: number) =>
      value('kw_append_proof($1, $2, $3, $4, $5)', local.tenantId, id, version, PROOF, NOW);
    assert.equal(await append(foreign.flowId, 0), false);
    assert.equal(await append(local.flowId, 1), false, 'another version');
    assert.equal(await append(local.flowId, 0), true);
    assert.equal(await append(local.flowId, 0), false, 'the same version again');
  },

  kw_end_flow: async ({ local, foreign, value }) => {
    const end = (id: string, hash: Buffer) =>
      value('kw_end_flow($1, $2, $3, $4)', local.tenantId, id, hash, NOW);
    assert.equal(await end(foreign.flowId, foreign.subject), false);
    assert.equal(await end(local.flowId, foreign.subject), false);
    assert.equal(await end(local.flowId, local.subject), true);
    assert.equal(await end(local.flowId, local.subject), false);
  },
};
