// Queued messages survive the death of the process that sends them.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { startMailSink } from '../harness/mail-sink.ts';
import { startWithMessages } from '../harness/messages.ts';
import { startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const MESSAGES = 600;
const EXPIRED = 20;
const KILLS = 3;
const TENANT = 'org_default' as TenantId;
/** Sent and not recorded yet: results are gathered for 100 ms. */
const MOST_TWICE_PER_KILL = 100;

test('after kill -9 every message is sent, none after its expiry, and few twice', async (t) => {
  const sink = await startMailSink();
  t.after(() => sink.close());
  const env = {
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
  };
  const service = await startWithMessages({ env });
  t.after(() => service.keywright.close());
  // This node queues, and sends nothing.
  await service.messages.queue.stop();
  const past = new Date(Date.now() - 1000);
  for (let index = 0; index < MESSAGES; index += 1) {
    await service.abandon(TENANT, { destination: `user${index}@example.org` });
  }
  for (let index = 0; index < EXPIRED; index += 1) {
    await service.abandon(TENANT, { destination: `late${index}@example.org`, expiresAt: past });
  }
  const { database } = service.keywright;
  // As if the lease of whoever died had ended.
  const endLeases = () =>
    database.query(`UPDATE messages SET held_until = NULL WHERE status = 'pending'`);
  const start = () =>
    startServerProcess({
      env: { ...env, KEYWRIGHT_DATABASE_URL: database.url },
    });
  const pending = async () => {
    const rows = await database.query<{ status: string }>('SELECT status FROM messages');
    return rows.filter(({ status }) => status === 'pending').length;
  };
  for (let kills = 1; kills <= KILLS; kills += 1) {
    await endLeases();
    const victim = await start();
    const target = Math.min((MESSAGES * kills) / (KILLS + 1), MESSAGES);
    await until('some are sent', () => sink.mails.length >= target, 60_000);
    await victim.kill9();
  }
  await endLeases();
  const last = await start();
  t.after(() => last.kill9());
  await until('none is left', async () => (await pending()) === 0, 60_000);
  const counts = Map.groupBy(sink.mails, ({ to }) => to[0] ?? '');
  for (let index = 0; index < MESSAGES; index += 1) {
    assert.ok(counts.has(`user${index}@example.org`), `message ${index} is lost`);
  }
  assert.equal(counts.size, MESSAGES, 'none of the expired ones was sent');
  const twice = [...counts.values()].filter((mails) => mails.length > 1);
  for (const mails of twice) {
    assert.equal(new Set(mails.map(({ parsed }) => parsed.messageId)).size, 1);
  }
  t.diagnostic(`${MESSAGES} messages, ${KILLS} kills: ${twice.length} sent twice`);
  assert.ok(twice.length <= KILLS * MOST_TWICE_PER_KILL, String(twice.length));
});
