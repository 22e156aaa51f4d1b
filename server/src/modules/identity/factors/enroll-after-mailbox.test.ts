import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import { expectStatus } from '@keywright/tests/harness/http';
import { startKeywright } from '@keywright/tests/harness/keywright';
import { startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { startSecondStep } from '@keywright/tests/harness/second-step';
import { claimsOf } from '@keywright/tests/harness/token';
import { totpOf } from '@keywright/tests/harness/totp';

test('A verified user must prove the mailbox before adding a factor, so that the password alone is not enough', async (t) => {
  const sink = await startMailSink();
  const keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  t.after(async () => {
    await keywright.close();
    await sink.close();
  });
  const tenant = await keywright.tenant('owned');
  const token = await tenant.adminToken();
  const user = await tenant.createUser();
  const verify = 'UPDATE user_identifiers SET verified = true WHERE user_id = $1';
  await keywright.database.query(verify, [user.user.id]);
  // The mailbox is proven even if it is not a login method of the tenant.
  const body = { config: { require_mfa: true, allowed_login_methods: ['password'] } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));

  const flow = await startSecondStep(tenant, user);
  assert.deepEqual(flow.needs[0]?.step, 'message');
  const step = (name: string, more: object = {}) =>
    tenant.request<FlowAnswer & ErrorBody & { secret?: string }>(
      'POST',
      `/auth/flows/${flow.id}/${name}`,
      { body: { flow_token: flow.flow_token, ...more } },
    );
  assert.equal((await step('enroll/totp')).body.code, 'STEP_NOT_NEEDED');
  expectStatus(200, await step('message'));
  assert.equal((await step('enroll/totp')).body.code, 'STEP_NOT_NEEDED');
  const { code } = await mailedTo(sink, user.identifier);
  const half = expectStatus(200, await step('code', { code }));
  assert.deepEqual(
    [half.access_token, half.flow.needs],
    [undefined, [{ step: 'enroll', methods: ['passkey', 'totp'] }]],
  );
  const { secret = '' } = expectStatus(200, await step('enroll/totp'));
  const confirmation = { code: totpOf(secret, keywright.clock.now()) };
  const done = expectStatus(200, await step('enroll/totp/confirm', confirmation));
  assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');
});
