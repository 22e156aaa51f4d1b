// Invitations survive the death of the process that sends them, and a revoked one is not sent by the next process.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import { startMailSink } from '../harness/mail-sink.ts';
import { startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const INVITED = 24;

test('Every invitation is sent after kill -9 between writing and sending, but none that was revoked', async (t) => {
  let isSilent = true;
  // A silent server blocks the messages in transit and those queued behind them.
  const silence = new Promise<undefined>(() => undefined);
  const sink = await startMailSink({ onMail: () => (isSilent ? silence : undefined) });
  const env = {
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
  };
  const keywright = await startKeywright({ engine: 'postgres', env });
  const { database } = keywright;
  const token = await keywright.adminToken();
  // The processes alone send.
  const storage = { ...env, KEYWRIGHT_DATABASE_URL: database.url };
  let server = await startServerProcess({ env: storage });
  t.after(async () => {
    await server.kill9();
    await keywright.close();
    await sink.close();
  });

  const created: InvitationRecord[] = [];
  for (let index = 0; index < INVITED; index += 1) {
    // The limit is 20 invitations an hour from one address.
    await database.query('DELETE FROM login_attempts');
    const body = { identifier: `invited${index}@example.org` };
    const answer = await server.http.request<InvitationRecord>('POST', '/invitations', {
      token,
      body,
    });
    created.push(expectStatus(201, answer));
  }
  const [remaining, revoked] = [created.slice(0, INVITED / 2), created.slice(INVITED / 2)];
  for (const { id } of revoked) {
    expectStatus(200, await server.http.request('DELETE', `/invitations/${id}`, { token }));
  }
  assert.equal(sink.mails.length, 0);
  await server.kill9();
  isSilent = false;
  // The killed process's leases expire after 30 seconds.
  await database.query(`UPDATE messages SET held_until = NULL WHERE status = 'pending'`);
  server = await startServerProcess({ env: storage });
  await until('nothing waits', async () => {
    const waiting = await database.query("SELECT FROM messages WHERE status = 'pending'");
    return waiting.length === 0;
  });
  const sentTo = new Set(sink.mails.flatMap(({ to }) => to));
  assert.deepEqual(
    [...sentTo].toSorted(),
    remaining.map(({ identifier }) => identifier).toSorted(),
  );
  const reasons = await database.query<{ status: string; reason: string }>(
    "SELECT status, reason FROM messages WHERE kind = 'invitation' AND status <> 'done'",
  );
  assert.equal(reasons.length, revoked.length);
  for (const { status, reason } of reasons) {
    assert.equal(status, 'failed');
    assert.match(reason, /^withdrawn: /);
  }
});
