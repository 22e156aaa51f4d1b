import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { cpuMicros, residentKib } from '../measure/cpu.ts';
import { quantile } from '../measure/statistics.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { type Service, startService } from '../target/service.ts';
import { type Client, expectStatus, openClient } from '../tenants/client.ts';
import { bitOf, Reader } from './stream.ts';

/** As `--row` names it. */
export const STATUS = 'status';

const READERS = 1000;
const REVOCATIONS = 60;
const REVOKED_EVERY_MS = 150;
/** Includes at least two heartbeats. */
const IDLE_MS = 10_000;
const DEADLINE_MS = 60_000;

/** A node whose streams are measured, and a second node. */
interface Scene {
  readonly bench: Bench;
  readonly env: Readonly<Record<string, string>>;
  node: Service;
  readonly other: Service;
  readonly readers: Reader[];
  /** Access tokens of sessions that have not been ended. */
  readonly live: string[];
}

/** From the request for a revocation until a reader is notified, in milliseconds. */
interface Latency {
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly most_ms: number;
}

/** Measures what streams to many verifiers cost a node, and how soon each verifier is notified. */
export async function runStatus(bench: Bench, output: Output): Promise<void> {
  output.say(`${STATUS}: ${READERS} streams on one node`);
  const env = { ...bench.env, KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: String(2 * READERS) };
  const scene: Scene = {
    bench,
    env,
    node: await startService(env),
    other: await startService(env),
    readers: [],
    live: bench.seed.people.map((person) => person.accessToken),
  };
  try {
    const memory = await connect(scene);
    const idle = await measureIdle(scene);
    const notified = await measureRevocations(scene, idle.node_micros_per_second);
    const restart = await measureRestart(scene);
    const found = { readers: READERS, ...memory, ...idle, told: notified, restart };
    output.record({ ...conditionsOf(bench), row: STATUS, ...found });
    console.log(`\n${STATUS}: ${JSON.stringify(found, undefined, 2)}`);
  } finally {
    for (const reader of scene.readers) reader.close();
    await Promise.all([scene.node.stop(), scene.other.stop()]);
  }
}

async function connect({ bench, node, readers }: Scene) {
  await pause(2000);
  const before = residentKib(node.pid);
  const cpuBefore = cpuMicros(node.pid);
  const startedAt = performance.now();
  for (let count = 0; count < READERS; count += 1) {
    readers.push(new Reader(node.port, bench.seed.tenantId));
  }
  await until(
    'all are connected',
    () => readers.every((reader) => reader.version > 0),
    DEADLINE_MS,
  );
  const connectedMs = performance.now() - startedAt;
  const connectMicros = (cpuMicros(node.pid) - cpuBefore) / READERS;
  await pause(2000);
  const resident = residentKib(node.pid);
  return {
    all_connected_ms: round(connectedMs),
    connect_micros: round(connectMicros),
    resident_before_kb: before,
    resident_kb: resident,
    resident_kb_per_stream: round((resident - before) / READERS),
  };
}

/** The cost of streams with heartbeats only. */
async function measureIdle({ node, other }: Scene) {
  const before = [cpuMicros(node.pid), cpuMicros(other.pid)] as const;
  await pause(IDLE_MS);
  const used = [cpuMicros(node.pid) - before[0], cpuMicros(other.pid) - before[1]] as const;
  return {
    node_micros_per_second: used[0] / (IDLE_MS / 1000),
    node_without_streams_micros_per_second: used[1] / (IDLE_MS / 1000),
  };
}

/** Logouts, alternately on the node with the streams and on the other. */
async function measureRevocations(scene: Scene, idleMicrosPerSecond: number) {
  const { bench, node, other, readers } = scene;
  const clients = [node, other].map(({ port }) => openClient(port, bench.seed.tenantId));
  const startedAt = performance.now();
  const before = cpuMicros(node.pid);
  const requestedAt = new Map<number, number>();
  for (let count = 0; count < REVOCATIONS; count += 1) {
    await revoke(scene, clients[count % clients.length] as Client, requestedAt);
    await pause(REVOKED_EVERY_MS);
  }
  await untilNotified(readers, requestedAt);
  const seconds = (performance.now() - startedAt) / 1000;
  const micros = cpuMicros(node.pid) - before - idleMicrosPerSecond * seconds;
  for (const client of clients) client.close();
  return {
    revocations: REVOCATIONS,
    node_micros_per_revocation: round(micros / REVOCATIONS),
    node_micros_per_reader_and_revocation: round(micros / REVOCATIONS / READERS),
    ...latencyOf(readers, requestedAt),
  };
}

async function revoke(
  scene: Scene,
  client: Client,
  requestedAt: Map<number, number>,
): Promise<void> {
  const token = scene.live.pop() ?? '';
  requestedAt.set(bitOf(token), performance.now());
  expectStatus(await client.send('POST', '/auth/logout', { token }), 200);
}

/** The node is killed, sessions end on the other one, and all readers reconnect to the same address. */
async function measureRestart(scene: Scene) {
  const { bench, node, other, readers } = scene;
  const client = openClient(other.port, bench.seed.tenantId);
  const requestedAt = new Map<number, number>();
  await node.end('SIGKILL');
  const killedAt = performance.now();
  const starting = startService(scene.env, node.port);
  for (let count = 0; count < 5; count += 1) await revoke(scene, client, requestedAt);
  scene.node = await starting;
  const restartedAt = performance.now();
  await untilNotified(readers, requestedAt);
  client.close();
  const last = readers.map((reader) =>
    Math.max(...[...requestedAt.keys()].map((bit) => reader.notifiedAt.get(bit) ?? 0)),
  );
  const after = (since: number) => quantiles(last.map((at) => at - since));
  return {
    start_ms: round(restartedAt - killedAt),
    up_to_date_after_kill: after(killedAt),
    up_to_date_after_start: after(restartedAt),
  };
}

function untilNotified(
  readers: readonly Reader[],
  requestedAt: ReadonlyMap<number, number>,
): Promise<true> {
  const bits = [...requestedAt.keys()];
  const isNotified = (reader: Reader) => bits.every((bit) => reader.notifiedAt.has(bit));
  return until('all are notified', () => readers.every(isNotified) || undefined, DEADLINE_MS);
}

function latencyOf(readers: readonly Reader[], requestedAt: ReadonlyMap<number, number>): Latency {
  return quantiles(
    readers.flatMap(({ notifiedAt }) =>
      [...requestedAt].map(([bit, at]) => (notifiedAt.get(bit) ?? Infinity) - at),
    ),
  );
}

function quantiles(milliseconds: readonly number[]): Latency {
  const all = Float64Array.from(milliseconds);
  return {
    p50_ms: round(quantile(all, 0.5)),
    p99_ms: round(quantile(all, 0.99)),
    most_ms: round(quantile(all, 1)),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
