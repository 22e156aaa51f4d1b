// The guide to second factors: its commands, in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { claimsOf } from '../harness/token.ts';
import { totpOf } from '../harness/totp.ts';
import { GuideShell } from './guide-shell.ts';

let keywright: Keywright;
let guide: GuideShell;

before(async () => {
  keywright = await startKeywright();
  guide = await GuideShell.open('second-factors.md');
});
after(async () => {
  await guide.close();
  await keywright.close();
});

test('The commands of the second factors guide create a tenant, require a second factor, add one during a login, and step up', async () => {
  const { identifier, password } = keywright.admin;
  await guide.logIn({ KEYWRIGHT: keywright.url, IDENTIFIER: identifier, SECRET: password });
  await guide.paste('"slug":"two-factors"');
  const { config } = await guide.pasteForJson<{ config: { require_mfa: boolean } }>(
    '"require_mfa":true',
  );
  assert.equal(config.require_mfa, true);
  const refused = await guide.pasteForJson<ErrorBody>('LOGIN=$(');
  assert.equal(refused.code, 'MFA_REQUIRED');
  assert.deepEqual(refused.flow?.needs, [{ step: 'enroll', methods: ['passkey', 'totp'] }]);
  const { secret } = await guide.pasteForJson<{ secret: string }>('/enroll/totp -H');
  await guide.choose("CODE='", { CODE: totpOf(secret, new Date()) });
  const done = await guide.pasteForJson<FlowAnswer & { recovery_codes: string[] }>(
    '/enroll/totp/confirm',
  );
  assert.equal(done.recovery_codes.length, 10);
  assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');
  const { flow } = await guide.pasteForJson<StartedFlow>('/me/step-up');
  assert.equal(flow.purpose, 'step_up');
  assert.deepEqual(guide.left, []);
});
