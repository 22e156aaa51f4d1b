import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';

/** The functions that codes and links go through. */
export const CHALLENGE_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_begin_challenge: async ({ own, foreign, value }) => {
    const call =
      "(SELECT challenge_id FROM kw_begin_challenge($1, $2, $3, 'login', $4, 0, 5, $5, $5))";
    const begin = (flow: string, id: string) =>
      value(call, own.tenantId, id, flow, own.userId, NOW);
    assert.equal(await begin(foreign.flowId, 'new'), 'new', 'that of the other tenant stays');
    assert.equal(await begin(own.flowId, 'newer'), own.challengeId);
  },

  kw_guess_code: async ({ own, foreign, rows }) => {
    const call = "kw_guess_code($1, $2, 'login', 5, $3, 1000, 60, $4)";
    const guess = (flow: string) => rows(call, own.tenantId, flow, own.subject, NOW);
    assert.deepEqual(await guess(foreign.flowId), []);
    const ofUser = { challenge_id: own.challengeId, user_id: own.userId, auth_version: 0 };
    assert.deepEqual(await guess(own.flowId), [{ ...ofUser, guesses_left: 4, retry_after: null }]);
  },

  kw_count_codes: async ({ own, rows }) => {
    assert.deepEqual(await rows('kw_count_codes($1, $2)', own.tenantId, new Date(0)), [
      { sent: 1, failed: 0 },
    ]);
    assert.deepEqual(await rows('kw_count_codes($1, $2)', 'org_nobody', new Date(0)), [
      { sent: 0, failed: 0 },
    ]);
  },

  kw_find_message_link: async ({ own, foreign, rows }) => {
    const find = (id: string) => rows('kw_find_message_link($1, $2, $3)', own.tenantId, id, NOW);
    assert.deepEqual(await find(foreign.challengeId), []);
    const [found] = await find(own.challengeId);
    const fields = ['user_id', 'flow_id', 'guesses'].map((name) => found?.[name]);
    assert.deepEqual(fields, [own.userId, own.flowId, 0]);
  },

  kw_redeem_challenge: async ({ own, foreign, value }) => {
    const redeem = (flow: string, id: string) =>
      value('kw_redeem_challenge($1, $2, 0, $3, NULL, $4)', own.tenantId, flow, id, NOW);
    assert.equal(await redeem(own.flowId, foreign.challengeId), false);
    assert.equal(await redeem(foreign.flowId, own.challengeId), false);
    assert.equal(await redeem(own.flowId, own.challengeId), true);
    assert.equal(await redeem(own.flowId, own.challengeId), false);
  },
};
