import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FlowNeed } from '@keywright/contract/records/login-flow';
import { CHALLENGE_STEPS } from '@keywright/contract/routes/authorize-challenge';
import { type ChallengeBody, inAppNeeds, stepIn } from './in-app-steps.ts';

describe('a request inside an application', () => {
  for (const name of Object.keys(CHALLENGE_STEPS)) {
    test(`goes on with ${name}, beside what the login is for`, () => {
      const body = { [name]: 'x', scope: 'openid', auth_session: 's', device_token: 'd' };
      assert.deepEqual(stepIn(body as ChallengeBody), { name, value: 'x' });
    });
  }

  test('goes on with nothing, or with one step', () => {
    assert.equal(stepIn({ login_hint: 'ada@example.com' }), undefined);
    assert.equal(stepIn({ password: 'x', totp_code: '123456' }), 'several');
  });
});

describe('the next steps inside an application', () => {
  const need = (...steps: FlowNeed['step'][]): FlowNeed[] => steps.map((step) => ({ step }));

  test('are those that it can draw, with the channels of messages', () => {
    const channels = ['email' as const];
    const needs: FlowNeed[] = [
      { step: 'message', channels },
      ...need('password', 'code', 'link', 'totp', 'passkey', 'recovery_code', 'oauth'),
    ];
    assert.deepEqual(inAppNeeds(needs), [
      { step: 'message', channels },
      ...need('password', 'code', 'totp', 'passkey', 'recovery_code'),
    ]);
  });

  test('are none where only pages lead on', () => {
    const needs: FlowNeed[] = [
      { step: 'oauth', provider: 'idp_1' },
      { step: 'enrol', methods: ['totp'] },
      ...need('new_password', 'link'),
    ];
    assert.deepEqual(inAppNeeds(needs), []);
  });
});
