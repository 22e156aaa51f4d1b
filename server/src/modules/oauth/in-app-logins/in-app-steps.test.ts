import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FlowNeed } from '@keywright/contract/records/login-flow';
import { CHALLENGE_STEPS } from '@keywright/contract/routes/authorize-challenge';
import { type ChallengeBody, inAppNeeds, stepIn } from './in-app-steps.ts';

describe('the step of a request inside an application', () => {
  for (const name of Object.keys(CHALLENGE_STEPS)) {
    test(`A request continues with ${name}, alongside its other parameters`, () => {
      const body = { [name]: 'x', scope: 'openid', auth_session: 's', device_token: 'd' };
      assert.deepEqual(stepIn(body as ChallengeBody), { name, value: 'x' });
    });
  }

  test('A request continues with one step at most', () => {
    assert.equal(stepIn({ login_hint: 'ada@example.com' }), undefined);
    assert.equal(stepIn({ password: 'x', totp_code: '123456' }), 'several');
  });
});

describe('the next steps inside an application', () => {
  const need = (...steps: FlowNeed['step'][]): FlowNeed[] => steps.map((step) => ({ step }));

  test('The next steps are those that the application can show, with the channels of messages', () => {
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

  test('There are no next steps if only pages can continue', () => {
    const needs: FlowNeed[] = [
      { step: 'oauth', provider: 'idp_1' },
      { step: 'enroll', methods: ['totp'] },
      ...need('new_password', 'link'),
    ];
    assert.deepEqual(inAppNeeds(needs), []);
  });
});
