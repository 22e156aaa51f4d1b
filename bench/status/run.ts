import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { cpuMicros, residentBytes } from '../measure/cpu.ts';
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
/** Long enough that two heartbeats fall into it, whenever it begins. */
const IDLE_MS = 10_000;
const BYTES_PER_KB = 1024;
const DEADLINE_MS = 60_000;

/** A node whose streams are measured, one beside it, and people whose sessions are yet to be ended. */
interface Scene {
  readonly bench: Bench;
  readonly env: Readonly<Record<string, string>>;
  node: Service;
  readonly other: Service;
  readonly readers: Reader[];
  /** Access tokens. */
  readonly live: string[];
}

/** How long it took from asking for a revocation until a reader was told, in milliseconds. */
interface Latency {
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly most_ms: number;
}

/** What it costs a node that many verifiers follow revocations, and how soon each of them knows. */
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
    const told = await measureRevocations(scene, idle.node_micros_per_second);
    const restart = await measureRestart(scene);
    const found = { readers: READERS, ...memory, ...idle, told, restart };
    output.record({ ...conditionsOf(bench), row: STATUS, ...found });
    console.log(`\n${STATUS}: ${JSON.stringify(found, undefined, 2)}`);
  } finally {
    for (const reader of scene.readers) reader.close();
    await Promise.all([scene.node.stop(), scene.other.stop()]);
  }
}

async function connect({ bench, node, readers }: Scene) {
  await pause(2000);
  const before = residentBytes(node.pid);
  const cpuBefore = cpuMicros(node.pid);
  const begunAt = performance.now();
  for (let count = 0; count < READERS; count += 1) {
    readers.push(new Reader(node.port, bench.seed.tenantId));
  }
  await until('all are connected', () => readers.every((one) => one.version > 0), DEADLINE_MS);
  const connectedMs = performance.now() - begunAt;
  const connectMicros = (cpuMicros(node.pid) - cpuBefore) / READERS;
  await pause(2000);
  const resident = residentBytes(node.pid);
  return {
    all_connected_ms: round(connectedMs),
    connect_micros: round(connectMicros),
    resident_before_kb: before / BYTES_PER_KB,
    resident_kb: resident / BYTES_PER_KB,
    resident_kb_per_stream: round((resident - before) / BYTES_PER_KB / READERS),
  };
}

/** What streams cost to which nothing is told but that they are up to date. */
async function measureIdle({ node, other }: Scene) {
  const before = [cpuMicros(node.pid), cpuMicros(other.pid)] as const;
  await pause(IDLE_MS);
  const used = [cpuMicros(node.pid) - before[0], cpuMicros(other.pid) - before[1]] as const;
  return {
    node_micros_per_second: used[0] / (IDLE_MS / 1000),
    node_without_streams_micros_per_second: used[1] / (IDLE_MS / 1000),
  };
}

/** Logouts, in turn on the node that has the streams and on the other. */
async function measureRevocations(scene: Scene, idleMicrosPerSecond: number) {
  const { bench, node, other, readers } = scene;
  const clients = [node, other].map(({ port }) => openClient(port, bench.seed.tenantId));
  const begunAt = performance.now();
  const before = cpuMicros(node.pid);
  const askedAt = new Map<number, number>();
  for (let count = 0; count < REVOCATIONS; count += 1) {
    await revoke(scene, clients[count % clients.length] as Client, askedAt);
    await pause(REVOKED_EVERY_MS);
  }
  await untilTold(readers, askedAt);
  const seconds = (performance.now() - begunAt) / 1000;
  const micros = cpuMicros(node.pid) - before - idleMicrosPerSecond * seconds;
  for (const client of clients) client.close();
  return {
    revocations: REVOCATIONS,
    node_micros_per_revocation: round(micros / REVOCATIONS),
    node_micros_per_reader_and_revocation: round(micros / REVOCATIONS / READERS),
    ...latencyOf(readers, askedAt),
  };
}

async function revoke(scene: Scene, client: Client, askedAt: Map<number, number>): Promise<void> {
  const token = scene.live.pop() ?? '';
  askedAt.set(bitOf(token), performance.now());
  expectStatus(await client.ask('POST', '/auth/logout', { token }), 200);
}

/** The node is killed, sessions are ended on the other one, and all readers come back to the same address. */
async function measureRestart(scene: Scene) {
  const { bench, node, other, readers } = scene;
  const client = openClient(other.port, bench.seed.tenantId);
  const askedAt = new Map<number, number>();
  await node.end('SIGKILL');
  const killedAt = performance.now();
  const starting = startService(scene.env, node.port);
  for (let count = 0; count < 5; count += 1) await revoke(scene, client, askedAt);
  scene.node = await starting;
  const startedAt = performance.now();
  await untilTold(readers, askedAt);
  client.close();
  const last = readers.map((one) =>
    Math.max(...[...askedAt.keys()].map((bit) => one.toldAt.get(bit) ?? 0)),
  );
  const after = (since: number) => quantiles(last.map((at) => at - since));
  return {
    start_ms: round(startedAt - killedAt),
    up_to_date_after_kill: after(killedAt),
    up_to_date_after_start: after(startedAt),
  };
}

function untilTold(
  readers: readonly Reader[],
  askedAt: ReadonlyMap<number, number>,
): Promise<true> {
  const bits = [...askedAt.keys()];
  const isTold = (reader: Reader) => bits.every((bit) => reader.toldAt.has(bit));
  return until('all are told', () => readers.every(isTold) || undefined, DEADLINE_MS);
}

function latencyOf(readers: readonly Reader[], askedAt: ReadonlyMap<number, number>): Latency {
  return quantiles(
    readers.flatMap(({ toldAt }) =>
      [...askedAt].map(([bit, at]) => (toldAt.get(bit) ?? Infinity) - at),
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
