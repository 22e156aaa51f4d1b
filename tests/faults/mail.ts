import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { startWithMessages, type WithMessages } from '../harness/messages.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { databaseDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import type { Run, Scenario } from './scenario.ts';

const QUEUED = 10_000;
const QUEUED_AT_ONCE = 250;
/** The number of messages that have expired; others expire during the run. */
const EXPIRED = 20;
const EXPIRING = 200;
const EXPIRES_AFTER_MS = 10_000;
/** An attempt that started before the expiry can end this much after it. */
const ATTEMPT_MS = 2000;
const TENANT = 'org_default' as TenantId;
const MOST_TWICE = 0.01;
const DEADLINE_MS = 600_000;

const ENGINES = ['postgres', 'pglite'] as const;
type Engine = (typeof ENGINES)[number];

/** The process that sends email is killed while messages are queued. */
export const mail: Scenario = {
  name: 'mail',
  about: `the process killed with ${QUEUED} messages queued, on both databases; a round is a kill`,
  rounds: 4,
  async run(run) {
    const figures: Record<string, number> = { kills: run.rounds };
    for (const engine of ENGINES) {
      run.say(engine);
      const { sent, twice, seconds } = await sendThroughKills(run, { engine, queued: QUEUED });
      const most = QUEUED * MOST_TWICE;
      assert.ok(twice <= most, `${twice} of ${QUEUED} were sent twice on ${engine}`);
      figures[`${engine}_sent`] = sent;
      figures[`${engine}_twice`] = twice;
      figures[`${engine}_seconds`] = seconds;
    }
    return figures;
  },
};

interface MailRun {
  readonly engine: Engine;
  readonly queued: number;
  /** Ends the leases of the killed process; default: they end by themselves, after 30 seconds. */
  readonly endsLeases?: boolean;
}

/** @throws if a message is lost, or if a message is sent after its expiry */
export async function sendThroughKills(run: Run, { engine, queued, endsLeases }: MailRun) {
  const sink = await startMailSink();
  const env = {
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
    ...(engine === 'pglite' ? { KEYWRIGHT_DATA_DIR: await databaseDirectory('mail') } : {}),
  };
  const service = await startWithMessages({ env, engine });
  let victim: ServerProcess | undefined;
  try {
    const expiry = await fill(service, queued);
    const storage = await handOver(service, engine);
    const startedAt = performance.now();
    for (const share of [...killsAt(run), undefined]) {
      if (endsLeases === true) await endLeases(service);
      victim = await startServerProcess({ env: { ...env, ...storage } });
      if (share === undefined) break;
      await until('a part is sent', () => sink.mails.length >= queued * share, DEADLINE_MS);
      await victim.kill9();
      run.say(`killed after ${sink.mails.length} of ${queued}`);
    }
    await until('all are sent', () => countSent(sink) >= queued, DEADLINE_MS);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    await until('none waits', () => Date.now() > expiry + ATTEMPT_MS, DEADLINE_MS);
    return { ...judge(sink, queued, expiry), seconds };
  } finally {
    await victim?.kill9();
    if (engine === 'postgres') await service.keywright.close();
    await sink.close();
  }
}

/** Queues messages as if the node had died just after the commits. @returns the expiry of those that soon expire */
async function fill(service: WithMessages, queued: number): Promise<number> {
  await service.messages.queue.stop();
  const inTime = Array.from({ length: queued }, (_, index) => ({
    destination: `user${index}@example.org`,
    expiresAt: new Date(Date.now() + DEADLINE_MS),
  }));
  for (let start = 0; start < queued; start += QUEUED_AT_ONCE) {
    await service.abandonAll(TENANT, inTime.slice(start, start + QUEUED_AT_ONCE));
  }
  const expiry = Date.now() + EXPIRES_AFTER_MS;
  const late = Array.from({ length: EXPIRED + EXPIRING }, (_, index) => ({
    destination: `late${index}@example.org`,
    expiresAt: new Date(index < EXPIRED ? Date.now() - 1000 : expiry),
  }));
  await service.abandonAll(TENANT, late);
  return expiry;
}

/** Closes the node if the database is embedded, which only one process can open. @returns the settings of the next */
async function handOver({ keywright }: WithMessages, engine: Engine) {
  if (engine === 'postgres') return { KEYWRIGHT_DATABASE_URL: keywright.database.url };
  await keywright.close();
  return {};
}

async function endLeases({ keywright }: WithMessages): Promise<void> {
  await keywright.database.query(`UPDATE messages SET held_until = NULL WHERE status = 'pending'`);
}

/** When to kill, as fractions of the total. */
function killsAt({ random, rounds }: Run): number[] {
  const lots = Array.from({ length: rounds }, () => random.between(50, 900) / 1000);
  return lots.toSorted((lot, other) => lot - other);
}

function countSent({ mails }: MailSink): number {
  return new Set(mails.flatMap(({ to }) => to.filter((address) => address.startsWith('user'))))
    .size;
}

function judge({ mails }: MailSink, queued: number, expiry: number) {
  const byRecipient = Map.groupBy(mails, ({ to }) => to[0] ?? '');
  for (let index = 0; index < queued; index += 1) {
    assert.ok(byRecipient.has(`user${index}@example.org`), `message ${index} is lost`);
  }
  for (const [to, [first]] of byRecipient) {
    const [, number] = /^late(\d+)@/.exec(to) ?? [];
    if (number === undefined) continue;
    assert.ok(Number(number) >= EXPIRED, `${to} was sent`);
    const atMs = performance.timeOrigin + (first?.atMs ?? 0);
    assert.ok(atMs < expiry + ATTEMPT_MS, `${to} was sent ${atMs - expiry} ms after its expiry`);
  }
  const repeated = [...byRecipient.values()].filter((all) => all.length > 1);
  for (const all of repeated) {
    assert.equal(new Set(all.map(({ parsed }) => parsed.messageId)).size, 1);
  }
  return { sent: mails.length, twice: repeated.length };
}
