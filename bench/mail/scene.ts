import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import { type RunningKeywright, startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { type Core, defineModule } from '@keywright/server/tenancy/module';
import { Authority } from '@keywright/tests/harness/certificate';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { startSink, type Sink } from './sink.ts';

const ADDRESSES: Readonly<Record<MessageChannel, (index: number) => string>> = {
  email: (index) => `user${index}@example.org`,
  sms: (index) => `+4915112${String(index).padStart(6, '0')}`,
};
const QUEUED_AT_ONCE = 250;
const EXPIRES_AFTER_MS = 3_600_000;
const DEADLINE_MS = 600_000;

/** An SMTP server or a provider of text messages, and a node in this process that queues messages. */
export interface Scene {
  readonly bench: Bench;
  readonly sink: Sink;
  /** The settings of the measured service. */
  readonly env: Readonly<Record<string, string>>;
  /** Queues messages that this node sends, one transaction each. */
  queue(destination: string): Promise<void>;
  /** Queues messages that no node has leased. */
  fill(count: number): Promise<void>;
  /** The same for another tenant. */
  fillOf(tenantId: TenantId, count: number): Promise<void>;
  /** Makes them due. */
  release(): Promise<void>;
  untilSent(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openScene(bench: Bench, channel: MessageChannel = 'email'): Promise<Scene> {
  const authority = new Authority();
  const certificate = authority.issue(['localhost', '127.0.0.1']);
  const sink = await startSink(channel === 'sms' ? 'sms' : certificate);
  const ca = join(mkdtempSync(join(tmpdir(), 'keywright-bench-')), 'ca.pem');
  writeFileSync(ca, authority.ca);
  const env = {
    ...bench.env,
    NODE_EXTRA_CA_CERTS: ca,
    ...(channel === 'sms' ? { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } : mailThrough(sink)),
  };
  const { node, core } = await startQueuingNode(env, authority.ca);
  const { tenantId } = bench.seed;
  const fillOf = async (of: TenantId, count: number) => {
    for (let start = 0; start < count; start += QUEUED_AT_ONCE) {
      const length = Math.min(QUEUED_AT_ONCE, count - start);
      const addresses = Array.from({ length }, (_, index) => ADDRESSES[channel](start + index));
      await queueAll(node, core, of, addresses, { channel, isSent: false });
    }
  };
  return {
    bench,
    sink,
    env,
    queue: (destination) =>
      queueAll(node, core, tenantId, [destination], { channel, isSent: true }),
    async fill(count) {
      await fillOf(tenantId, count);
      await bench.database.settle();
    },
    fillOf,
    release: async () => {
      // Skips messages that the measured service has leased in the meantime.
      await bench.database.query(
        `UPDATE messages m SET held_until = NULL
           FROM (SELECT tenant_id, id FROM messages WHERE status = 'pending' AND takes = 1 FOR UPDATE SKIP LOCKED) AS q
          WHERE m.tenant_id = q.tenant_id AND m.id = q.id`,
      );
    },
    untilSent: (count) => until('all are sent', () => sink.count() >= count, DEADLINE_MS).then(),
    async close() {
      await node.close();
      await sink.close();
    },
  };
}

function mailThrough({ port }: Sink) {
  return {
    KEYWRIGHT_SMTP_URL: `smtps://localhost:${port}`,
    KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
  };
}

async function startQueuingNode(env: Readonly<Record<string, string>>, ca: string) {
  let core: Core | undefined;
  const spy = defineModule('a measurement of mail', (startedCore) => {
    core ??= startedCore;
    return {};
  });
  const { NODE_EXTRA_CA_CERTS: _, ...settings } = env;
  const config = readConfig({ ...settings, KEYWRIGHT_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'silent' });
  const node = await startKeywright({ config, outside: { ca }, modules: [spy] });
  if (!core) throw new Error('There is no node.');
  return { node, core };
}

function queueAll(
  { messages }: RunningKeywright,
  { gate }: Core,
  tenantId: TenantId,
  destinations: readonly string[],
  { channel, isSent }: { readonly channel: MessageChannel; readonly isSent: boolean },
): Promise<void> {
  return gate.into(tenantId).transaction(async (tx) => {
    const queueTx = isSent ? tx : { ...tx, afterCommit: () => undefined };
    for (const destination of destinations) {
      await messages.queue.enqueue(queueTx, {
        kind: 'login',
        channel,
        destination,
        userId: null,
        challengeId: 'chl_01m817qnm0e599bza8yqh63kxq',
        locale: undefined,
        vars: {},
        expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS),
      });
    }
  });
}
