import { setTimeout as pause } from 'node:timers/promises';
import type { MessageChannel } from '@keywright/contract/messages';
import { smsThrough } from '@keywright/tests/harness/sms-sink';
import type { Bench } from '../measure/bench.ts';
import { fineCpuMicros, residentKib } from '../measure/cpu.ts';
import { startLoad } from '../measure/load.ts';
import { median, quantile } from '../measure/statistics.ts';
import type { Output } from '../report/output.ts';
import { meOf } from '../rows/me.ts';
import { API, bearerOf, logIn } from '../rows/row.ts';
import { startService } from '../target/service.ts';
import { recordFigures } from '../report/figure.ts';
import { openScene, type Scene } from './scene.ts';
import { runHangingServer, runManySenders } from './tenants.ts';

/** The parts of the rows about email and text messages, as named by `--row`. */
export const MAIL_RUNS = [
  { name: 'mail-cost', run: (bench: Bench, output: Output) => runCost(bench, output, MAIL) },
  { name: 'mail-latency', run: runLatency },
  { name: 'mail-beside', run: runBeside },
  { name: 'mail-hanging', run: runHangingServer },
  { name: 'mail-tenants', run: runManySenders },
  { name: 'sms-cost', run: (bench: Bench, output: Output) => runCost(bench, output, SMS) },
] as const;

const WARM_UP = 200;
const MAILS = 2000;

interface Kind {
  readonly row: string;
  readonly channel: MessageChannel;
}
const MAIL: Kind = { row: 'mail-cost', channel: 'email' };
const SMS: Kind = { row: 'sms-cost', channel: 'sms' };

/** Measures the CPU time of a message, from the queue to its acceptance by a server. */
async function runCost(bench: Bench, output: Output, { row, channel }: Kind): Promise<void> {
  output.say(row);
  const scene = await openScene(bench, channel);
  const service = await startService(scene.env);
  try {
    if (channel === 'sms') await setProvider(scene, service.url);
    await send(scene, WARM_UP);
    const residentBefore = residentKib(service.pid);
    const { postmaster = service.pid } = bench.database;
    const found: Cost[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      await scene.fill(MAILS);
      const before = [fineCpuMicros(service.pid), fineCpuMicros(postmaster)] as const;
      const startedAt = performance.now();
      await send(scene, 0, MAILS);
      const seconds = (performance.now() - startedAt) / 1000;
      const ofService = (fineCpuMicros(service.pid) - before[0]) / MAILS;
      const ofDatabase = (fineCpuMicros(postmaster) - before[1]) / MAILS;
      found.push({ ofService, ofDatabase, perSecond: MAILS / seconds });
    }
    const record = recordFigures(bench, output);
    const sum = found.map(({ ofService, ofDatabase }) => ofService + ofDatabase);
    record(row, 'µs', sum);
    const of = (figure: (cost: Cost) => number) => Math.round(median(found.map(figure)));
    console.log(
      `\n${row}: ${of(({ ofService }) => ofService)} + ${of((cost) => cost.ofDatabase)} µs, ` +
        `${Math.round(1_000_000 / median(sum))} a second on a core, ${of((cost) => cost.perSecond)} here; ` +
        `memory ${residentBefore} KiB, later ${residentKib(service.pid)}`,
    );
  } finally {
    await service.stop();
    await scene.close();
  }
}

/** Makes the tenant send its text messages to the sink, which requires a recent login. */
async function setProvider({ bench: { seed }, sink }: Scene, url: string): Promise<void> {
  const { tenantId } = seed;
  const answer = await fetch(`${url}${API}/tenants/${tenantId}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      ...bearerOf(tenantId, await logIn(seed, url)),
    },
    body: JSON.stringify({
      messaging: { sms: smsThrough({ url: `http://127.0.0.1:${sink.port}` }) },
    }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

interface Cost {
  readonly ofService: number;
  readonly ofDatabase: number;
  readonly perSecond: number;
}

async function send(scene: Scene, toQueue: number, count = toQueue): Promise<void> {
  const before = scene.sink.count();
  if (toQueue > 0) await scene.fill(toQueue);
  await scene.release();
  await scene.untilSent(before + count);
}

const PACED_EVERY_MS = 20;

/** Measures the time from the transaction that queues a message until a server receives its data. */
async function runLatency(bench: Bench, output: Output): Promise<void> {
  output.say('mail-latency');
  const scene = await openScene(bench);
  try {
    for (let index = 0; index < WARM_UP / 2; index += 1)
      await scene.queue(`warm${index}@example.org`);
    await scene.untilSent(WARM_UP / 2);
    const count = Math.ceil((bench.options.seconds * bench.options.rounds * 1000) / PACED_EVERY_MS);
    const queuedAt: number[] = [];
    const queuing: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let index = 0; index < count; index += 1) {
      await pause(Math.max(0, startedAt + index * PACED_EVERY_MS - performance.now()));
      queuedAt.push(Date.now());
      queuing.push(scene.queue(`paced${index}@example.org`));
    }
    await Promise.all(queuing);
    await scene.untilSent(WARM_UP / 2 + count);
    const delays = queuedAt.map(
      (at, index) => (scene.sink.sentAt(`paced${index}@example.org`) ?? 0) - at,
    );
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(Float64Array.from(delays), share));
    recordFigures(bench, output)('mail-latency', 'ms', [p99 ?? 0], 250);
    console.log(
      `\nmail-latency: p50 ${p50} ms, p99 ${p99} ms of ${count}, ${1000 / PACED_EVERY_MS} a second`,
    );
  } finally {
    await scene.close();
  }
}

const QUEUED = 10_000;
const ME_PER_SECOND = 100;

/** Measures another route, with and without 10,000 messages being sent. */
async function runBeside(bench: Bench, output: Output): Promise<void> {
  output.say('mail-beside');
  const scene = await openScene(bench);
  const service = await startService(scene.env);
  const load = startLoad();
  try {
    const { connections, rounds, seconds, people } = { ...bench.options, ...bench.seed };
    const everyMs = (connections * 1000) / ME_PER_SECOND;
    await load.connect(service.port, { ...meOf(people.slice(0, 500), connections), everyMs });
    await load.run(2);
    const p99 = async () => quantile((await load.run(seconds)).latenciesMs, 0.99);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = scene.sink.count();
      await scene.fill(QUEUED);
      const alone = await p99();
      await scene.release();
      const beside = await p99();
      if (scene.sink.count() >= before + QUEUED) throw new Error('The queue was empty too soon.');
      output.say(`${alone.toFixed(2)} ms, with mail ${beside.toFixed(2)} ms`);
      ratios.push((beside / alone - 1) * 100);
      await scene.untilSent(before + QUEUED);
    }
    recordFigures(bench, output)('mail-beside', '%', ratios, 10);
    console.log(`\nmail-beside: GET /me p99 ${median(ratios).toFixed(1)} % more`);
  } finally {
    load.close();
    await service.stop();
    await scene.close();
  }
}
