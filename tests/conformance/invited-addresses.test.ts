import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import { startMeter, workOf } from '../costs/meter.ts';
import { newIdentifier } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('quiet');
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** One address of each kind. */
async function addresses(): Promise<Record<string, string>> {
  const [existing, disabled, unverified] = [
    await tenant.createUser(),
    await tenant.createUser(),
    await tenant.createUser(),
  ];
  const token = await tenant.adminToken();
  const off = { token, body: { is_active: false } };
  expectStatus(200, await tenant.request('PATCH', `/users/${disabled.user.id}`, off));
  await keywright.database.query(
    'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id <> $2',
    [tenant.id, unverified.user.id],
  );
  return {
    unknown: newIdentifier(),
    existing: existing.identifier,
    disabled: disabled.identifier,
    unverified: unverified.identifier,
  };
}

test('An invitation does not disclose who is a user: one answer, the same statements, one mail each', async () => {
  const all = await addresses();
  const token = await tenant.adminToken();
  const invite = (identifier: string) =>
    tenant.request<InvitationRecord>('POST', '/invitations', { token, body: { identifier } });
  const seen = new Set<string>();
  const work: object[] = [];
  const ids: string[] = [];
  const resend = (id: string) =>
    tenant.request<InvitationRecord>('POST', `/invitations/${id}/resend`, { token });
  // The first request connects and loads what is cached afterward.
  const first = expectStatus(201, await invite(newIdentifier()));
  const meter = startMeter(keywright);
  try {
    for (const identifier of Object.values(all)) {
      const { answer, ...cost } = await meter.measure(() => invite(identifier));
      const { id, identifier: _of, ...rest } = expectStatus(201, answer);
      ids.push(id);
      seen.add(JSON.stringify(rest));
      work.push(workOf(cost));
    }
    keywright.clock.advance(31);
    expectStatus(200, await resend(first.id));
    const resent: object[] = [];
    for (const id of ids) {
      const { answer, ...cost } = await meter.measure(() => resend(id));
      expectStatus(200, answer);
      resent.push(workOf(cost));
    }
    for (const cost of resent) assert.deepEqual(cost, resent[0]);
  } finally {
    meter.stop();
  }
  assert.equal(seen.size, 1, [...seen].join('\n'));
  for (const cost of work) assert.deepEqual(cost, work[0]);
});
