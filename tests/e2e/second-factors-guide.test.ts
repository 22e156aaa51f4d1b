// The guide to second factors: its commands, in their order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { BegunFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { totpOf } from '../harness/totp.ts';
import { blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };
const blocks = blocksOf('second-factors.md');

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('acme');
});
after(() => keywright.close());

/** Pastes the only block with this text. */
async function follow<Body>(text: string, values: Readonly<Record<string, string>>): Promise<Body> {
  const found = blocks.filter((block) => block.language === 'sh' && block.text.includes(text));
  assert.equal(found.length, 1, `one block of the guide has ${text}`);
  const command = (found[0]?.text ?? '')
    .replaceAll('localhost:8080', new URL(keywright.nodes[0]?.url ?? '').host)
    .replaceAll('curl -s', `curl -s -H 'x-tenant-id: ${tenant.id}'`);
  const { code, stdout, stderr } = await paste(`set -e\n${command}`, values);
  assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Body;
}

test('its commands require a second factor, add one during a login, and step up', async () => {
  await tenant.createUser(ADA);
  const { config } = await follow<{ config: { require_mfa: boolean } }>('"require_mfa":true', {
    TOKEN: await tenant.adminToken(),
  });
  assert.equal(config.require_mfa, true);
  const refused = await follow<ErrorBody>('/auth/login', {});
  assert.equal(refused.code, 'MFA_REQUIRED');
  const { id: FLOW = '', flow_token: FLOW_TOKEN = '', needs } = refused.flow ?? {};
  assert.deepEqual(needs, [{ step: 'enrol', methods: ['passkey', 'totp'] }]);
  const { secret } = await follow<{ secret: string }>('/enrol/totp -H', { FLOW, FLOW_TOKEN });
  const CODE = totpOf(secret, new Date());
  const done = await follow<FlowAnswer & { recovery_codes: string[] }>('/enrol/totp/confirm', {
    FLOW,
    FLOW_TOKEN,
    CODE,
  });
  assert.equal(done.recovery_codes.length, 10);
  const { access_token: ACCESS = '' } = done;
  assert.equal(claimsOf(ACCESS).acr, 'aal2');
  const { flow } = await follow<BegunFlow>('/me/step-up', { ACCESS });
  assert.equal(flow.purpose, 'step_up');
});
