import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../measure/bench.ts';
import { quantile } from '../measure/statistics.ts';
import { nowMicros } from './receiver.ts';
import { openScene, type Scene } from './scene.ts';

const EVERY_MS = 10;
const ENDPOINTS = 500;
const FAN_OUT_EVERY_MS = 1000;
const KIND = 'workspace.created';

/** From a change until an endpoint receives it. */
export interface LatencyFigures {
  readonly what: string;
  readonly deliveries: number;
  /** From the first byte of the request that makes the change, including the time until its commit. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly most_ms: number;
  /** From the response to the change; below 0 if the delivery came first. */
  readonly p99_after_answer_ms: number;
}

/** A hundred changes a second for one endpoint; then the same with an additional dead one. */
export async function measureLatency(bench: Bench): Promise<[LatencyFigures, LatencyFigures]> {
  const scene = await openScene(bench);
  try {
    const { seconds, rounds } = bench.options;
    const changes = Math.ceil((seconds * rounds * 1000) / EVERY_MS);
    await scene.admin.register(scene.receiver.url('/read'), [KIND]);
    await measure(scene, 'warm-up', 200, EVERY_MS, 1);
    const alone = await measure(scene, 'one endpoint', changes, EVERY_MS, 1);
    await scene.admin.register(scene.receiver.url('/dead', 1), [KIND]);
    return [alone, await measure(scene, 'and a dead one', changes, EVERY_MS, 1)];
  } finally {
    await scene.close();
  }
}

/** One change per second for 500 endpoints on different hosts; then with one dead and one slow. */
export async function measureFairness(bench: Bench): Promise<[LatencyFigures, LatencyFigures]> {
  const scene = await openScene(bench);
  try {
    const { seconds, rounds } = bench.options;
    const changes = Math.ceil((seconds * rounds * 1000) / FAN_OUT_EVERY_MS);
    const hosts = Array.from({ length: ENDPOINTS - 2 }, (_, host) => host);
    for (const host of hosts) {
      await scene.admin.register(scene.receiver.url(`/read/${host}`, host), [KIND]);
    }
    await measure(scene, 'warm-up', 2, FAN_OUT_EVERY_MS, hosts.length);
    const fair = await measure(scene, '498 healthy', changes, FAN_OUT_EVERY_MS, hosts.length);
    await scene.admin.register(scene.receiver.url('/dead', ENDPOINTS), [KIND]);
    await scene.admin.register(scene.receiver.url('/slow', ENDPOINTS + 1), [KIND]);
    const what = '498 healthy, one dead, one slow';
    return [fair, await measure(scene, what, changes, FAN_OUT_EVERY_MS, hosts.length)];
  } finally {
    await scene.close();
  }
}

async function measure(
  { admin, receiver }: Scene,
  what: string,
  changes: number,
  everyMs: number,
  endpoints: number,
): Promise<LatencyFigures> {
  await receiver.keep(true);
  await receiver.take();
  const before = await receiver.count();
  const sent = new Map<string, { readonly requested: number; answered: number }>();
  const requests: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let change = 0; change < changes; change += 1) {
    await pause(Math.max(0, startedAt + change * everyMs - performance.now()));
    const times = { requested: nowMicros(), answered: 0 };
    const slug = `w${nowMicros().toString(36)}`;
    sent.set(`ws_${slug}`, times);
    requests.push(
      admin.send('POST', '/workspaces', { name: slug, slug }).then(() => {
        times.answered = nowMicros();
      }),
    );
  }
  await Promise.all(requests);
  await receiver.waitFor(before + changes * endpoints);
  const delays = (await receiver.take()).flatMap(({ body, atMicros }) => {
    const { data } = JSON.parse(body === '' ? '{"data":{}}' : body) as Body;
    const times = sent.get(data.workspace_id ?? '');
    return times ? [[atMicros - times.requested, atMicros - times.answered] as const] : [];
  });
  await receiver.keep(false);
  const all = Float64Array.from(delays, ([delay]) => delay / 1000);
  const afterAnswer = Float64Array.from(delays, ([, delay]) => delay / 1000);
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  return {
    what,
    deliveries: all.length,
    p50_ms: rounded(quantile(all, 0.5)),
    p99_ms: rounded(quantile(all, 0.99)),
    most_ms: rounded(quantile(all, 1)),
    p99_after_answer_ms: rounded(quantile(afterAnswer, 0.99)),
  };
}

interface Body {
  readonly data: { readonly workspace_id?: string };
}
