// Messages as a second factor, suspended by wrong codes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { eventsFrom } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { startSecondStep } from '@keywright/tests/harness/second-step';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('suspended', { config: { mfa_methods: ['totp', 'email'] } });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** A user with a verified address, in a tenant that then requires a second factor. */
async function member(): Promise<TestUser> {
  const user = await tenant.createUser();
  const token = await tenant.adminToken();
  const identifiers = [{ type: 'email', identifier: user.identifier, verified: true }];
  const change = { token, body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, change));
  const config = { token, body: { config: { require_mfa: true } } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, config));
  return user;
}

function step(
  { id, flow_token }: OfferedFlow,
  name: string,
  body: object = {},
): Promise<Answer<FlowAnswer & ErrorBody>> {
  return tenant.request('POST', `/auth/flows/${id}/${name}`, { body: { flow_token, ...body } });
}

test('A message that wrong codes of others have suspended is still a second factor on a known device.', async () => {
  const user = await member();
  const fail = (failures: number) =>
    keywright.database.query('UPDATE user_identifiers SET failures = $1 WHERE identifier = $2', [
      failures,
      user.identifier,
    ]);
  let earlier = 0;
  const message = async (device: object = {}) => {
    keywright.clock.advance(31);
    const flow = await startSecondStep(tenant, user, device);
    const { status, body } = await step(flow, 'message');
    if (status !== 200) return { flow, refused: body.code, code: '' };
    const { code } = await mailedTo(sink, user.identifier, earlier);
    earlier += 1;
    return { flow, refused: undefined, code };
  };
  const first = await message();
  const done = expectStatus(200, await step(first.flow, 'code', { code: first.code }));
  const device = { device_token: done.device_token };

  await fail(100);
  assert.equal((await message()).refused, 'DESTINATION_REFUSED');
  const onDevice = await message(device);
  expectStatus(200, await step(onDevice.flow, 'code', { code: onDevice.code }));
  assert.equal((await message()).refused, undefined, 'a right code ends the suspension');

  // Guesses on known devices are limited as well.
  await fail(199);
  const last = await message(device);
  const events = await eventsFrom(tenant, async () => {
    const wrong = last.code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
    assert.equal((await step(last.flow, 'code', { code: wrong })).body.code, 'CODE_WRONG');
    assert.equal((await step(last.flow, 'code', { code: last.code })).body.code, 'CODE_WRONG');
  });
  assert.ok(events.some(({ type }) => type === 'factor.suspicious'));
  assert.equal((await message(device)).refused, 'DESTINATION_REFUSED');
});
