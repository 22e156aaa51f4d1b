// The guide to second factors: its commands, in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { BegunFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { totpOf } from '../harness/totp.ts';
import { blocksOf } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };
const blocks = blocksOf('second-factors.md');

let keywright: Keywright;
let tenant: TestTenant;
let shell: LongShell;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('acme');
  const { PATH = '', ...inherited } = inheritedEnvironment();
  shell = new LongShell({ ...inherited, PATH }, await temporaryDirectory('guide'));
});
after(async () => {
  await shell.close();
  await keywright.close();
});

/** Pastes the only block with this text. @returns what it prints */
async function follow<Body>(text: string): Promise<Body> {
  const found = blocks.filter((block) => block.language === 'sh' && block.text.includes(text));
  assert.equal(found.length, 1, `one block of the guide has ${text}`);
  const host = new URL(keywright.nodes[0]?.url ?? '').host;
  const command = (found[0]?.text ?? '').replaceAll('localhost:8080', host);
  return JSON.parse(await shell.run(command)) as Body;
}

test('its commands require a second factor, add one during a login, and step up', async () => {
  await tenant.createUser(ADA);
  await shell.run(`TOKEN=${await tenant.adminToken()}`);
  const { config } = await follow<{ config: { require_mfa: boolean } }>('"require_mfa":true');
  assert.equal(config.require_mfa, true);
  const refused = await follow<ErrorBody>('/auth/login');
  assert.equal(refused.code, 'MFA_REQUIRED');
  assert.deepEqual(refused.flow?.needs, [{ step: 'enrol', methods: ['passkey', 'totp'] }]);
  const { secret } = await follow<{ secret: string }>('/enrol/totp -H');
  await shell.run(`CODE=${totpOf(secret, new Date())}`);
  const done = await follow<FlowAnswer & { recovery_codes: string[] }>('/enrol/totp/confirm');
  assert.equal(done.recovery_codes.length, 10);
  assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');
  const { flow } = await follow<BegunFlow>('/me/step-up');
  assert.equal(flow.purpose, 'step_up');
});
