import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';

/** The functions that codes and links go through. */
export const CHALLENGE_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_begin_challenge: async ({ own, foreign, value }) => {
    const call =
      "(SELECT challenge_id FROM kw_begin_challenge($1, $2, $3, 'login', $4, 0, 5, $5, $5))";
    const begin = (flow: string, id: string) =>
      value(call, own.tenantId, id, flow, own.userId, NOW);
    assert.equal(await begin(foreign.challengeId, 'new'), 'new', 'that of the other tenant stays');
    assert.equal(await begin(own.challengeId, 'newer'), own.challengeId);
  },

  kw_take_guess: async ({ own, foreign, rows }) => {
    const take = (flow: string) =>
      rows(
        "kw_take_guess($1, $2, 'login', 5, $3, 1000, 60, $4)",
        own.tenantId,
        flow,
        own.subject,
        NOW,
      );
    assert.deepEqual(await take(foreign.challengeId), []);
    const taken = { challenge_id: own.challengeId, guesses_left: 4, retry_after: null };
    assert.deepEqual(await take(own.challengeId), [taken]);
  },

  kw_use_challenge: async ({ own, foreign, rows }) => {
    const use = (id: string) => rows('kw_use_challenge($1, $2, $2, $3)', own.tenantId, id, NOW);
    assert.deepEqual(await use(foreign.challengeId), []);
    assert.deepEqual(await use(own.challengeId), [{ user_id: own.userId, auth_version: 0 }]);
    assert.deepEqual(await use(own.challengeId), []);
  },
};
