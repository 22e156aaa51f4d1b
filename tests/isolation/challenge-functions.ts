import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';

/** The functions that codes and links go through. */
export const CHALLENGE_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_start_challenge: async ({ local, foreign, value }) => {
    const call =
      "(SELECT challenge_id FROM kw_start_challenge($1, $2, $3, 'login', $4, 0, 5, $5, $5))";
    const start = (flow: string, id: string) =>
      value(call, local.tenantId, id, flow, local.userId, NOW);
    assert.equal(await start(foreign.flowId, 'new'), 'new', 'that of the other tenant stays');
    assert.equal(await start(local.flowId, 'newer'), local.challengeId);
  },

  kw_guess_code: async ({ local, foreign, rows }) => {
    const call = "kw_guess_code($1, $2, 'login', 5, $3, 1000, 60, $4)";
    const guess = (flow: string) => rows(call, local.tenantId, flow, local.subject, NOW);
    assert.deepEqual(await guess(foreign.flowId), []);
    const ofUser = { challenge_id: local.challengeId, user_id: local.userId, auth_version: 0 };
    assert.deepEqual(await guess(local.flowId), [
      { ...ofUser, guesses_left: 4, retry_after: null },
    ]);
  },

  kw_count_codes: async ({ local, rows }) => {
    assert.deepEqual(await rows('kw_count_codes($1, $2)', local.tenantId, new Date(0)), [
      { sent: 1, failed: 0 },
    ]);
    assert.deepEqual(await rows('kw_count_codes($1, $2)', 'org_nobody', new Date(0)), [
      { sent: 0, failed: 0 },
    ]);
  },

  kw_find_message_link: async ({ local, foreign, rows }) => {
    const find = (id: string) => rows('kw_find_message_link($1, $2, $3)', local.tenantId, id, NOW);
    assert.deepEqual(await find(foreign.challengeId), []);
    const [found] = await find(local.challengeId);
    const fields = ['user_id', 'flow_id', 'guesses'].map((name) => found?.[name]);
    assert.deepEqual(fields, [local.userId, local.flowId, 0]);
  },

  kw_redeem_challenge: async ({ local, foreign, value }) => {
    const redeem = (flow: string, id: string) =>
      value('kw_redeem_challenge($1, $2, 0, $3, NULL, $4)', local.tenantId, flow, id, NOW);
    assert.equal(await redeem(local.flowId, foreign.challengeId), false);
    assert.equal(await redeem(foreign.flowId, local.challengeId), false);
    assert.equal(await redeem(local.flowId, local.challengeId), true);
    assert.equal(await redeem(local.flowId, local.challengeId), false);
  },
};
