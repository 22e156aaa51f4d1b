import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { quantile } from '../measure/statistics.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { type Service, startService } from '../target/service.ts';
import { openClient } from '../tenants/client.ts';
import { startBalancer } from './balancer.ts';
import { createRevocables, KINDS, type Revocable } from './revocable.ts';
import { monotonicMs, startVerifiers, type Verifiers } from './verifiers.ts';

/** As `--row` names it. */
export const OFFLINE = 'revocation-offline';

const VERIFIERS = 1000;
const PROCESSES = 2;
const BAR_MS = 2000;
const EVERY_MS = 500;
/** Revocations before the node is ended. */
const BEFORE_THE_END = 6;

type Signal = 'SIGTERM' | 'SIGKILL';

/** A phase of the run: what happens while tokens are revoked. */
interface Phase {
  readonly name: string;
  /** The published row: the p99 over all kinds of tokens, and a value for each kind. */
  readonly row: string;
  readonly revocations: number;
  /** The node that is ended and restarted, and the signal. */
  readonly ends?: { readonly node: 0 | 1; readonly by: Signal };
}

const PHASES: readonly Phase[] = [
  { name: 'both nodes up', row: OFFLINE, revocations: 120 },
  {
    name: 'one ended by SIGTERM',
    row: `${OFFLINE}-sigterm`,
    revocations: 60,
    ends: { node: 0, by: 'SIGTERM' },
  },
  {
    name: 'the other ended by SIGKILL',
    row: `${OFFLINE}-sigkill`,
    revocations: 60,
    ends: { node: 1, by: 'SIGKILL' },
  },
];

/** The time from the response to a revocation until each verifier rejected the token. */
interface Sample {
  readonly phase: string;
  readonly kind: string;
  readonly milliseconds: readonly number[];
}

interface Installation {
  readonly bench: Bench;
  readonly nodes: Service[];
  readonly verifiers: Verifiers;
}

/** Revokes tokens that many verifiers hold, and measures the time until each rejects them. */
export async function runOffline(bench: Bench, output: Output): Promise<void> {
  output.say(OFFLINE);
  const env = { ...bench.env, KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: '4000' };
  const nodes = [await startService(env), await startService(env)];
  const balancer = await startBalancer(nodes.map(({ port }) => port));
  const { tenantId } = bench.seed;
  const verifiers = await startVerifiers({
    issuer: `${bench.env['KEYWRIGHT_BASE_URL']}/t/${tenantId}`,
    address: `${balancer.url}/t/${tenantId}`,
    count: VERIFIERS,
    processes: PROCESSES,
  });
  try {
    const samples = await measure({ bench, nodes, verifiers }, output);
    report(bench, output, samples);
  } finally {
    await verifiers.close();
    await balancer.close();
    for (const node of nodes) await node.stop();
  }
}

async function measure(installation: Installation, output: Output): Promise<Sample[]> {
  const { bench, nodes, verifiers } = installation;
  const count = PHASES.reduce((sum, { revocations }) => sum + revocations, 0);
  const client = openClient((nodes[0] as Service).port, bench.seed.tenantId);
  const revocables = await createRevocables(client, bench.seed, count);
  client.close();
  for (const { token } of revocables) {
    const accepting = await verifiers.accepting(token);
    if (accepting !== VERIFIERS) throw new Error(`${accepting} verifiers accept a valid token.`);
  }
  const samples: Sample[] = [];
  for (const phase of PHASES) {
    await until(
      'every verifier has its stream',
      async () => (await verifiers.following()) === VERIFIERS,
      60_000,
    );
    output.say(phase.name);
    samples.push(...(await run(installation, phase, revocables.splice(0, phase.revocations))));
  }
  return samples;
}

/** Revokes one token after another, without waiting until all verifiers reject it. */
async function run(
  { bench, nodes, verifiers }: Installation,
  { name, ends }: Phase,
  revocables: readonly Revocable[],
): Promise<Sample[]> {
  const samples: Promise<Sample>[] = [];
  let restarted: Promise<void> | undefined;
  for (const [turn, revocable] of revocables.entries()) {
    if (ends !== undefined && turn === BEFORE_THE_END) {
      restarted = restart(bench, nodes, ends.node, ends.by);
    }
    const { kind } = revocable;
    const watch = verifiers.watch(revocable.token);
    const stays = ends === undefined ? turn % nodes.length : 1 - ends.node;
    const client = openClient((nodes[stays] as Service).port, bench.seed.tenantId);
    await revocable.revoke(client);
    const answeredAt = monotonicMs();
    client.close();
    samples.push(
      watch.then((rejectedAt) => ({
        phase: name,
        kind,
        milliseconds: rejectedAt.map((at) => Math.max(0, at - answeredAt)),
      })),
    );
    await pause(EVERY_MS);
  }
  await restarted;
  return Promise.all(samples);
}

async function restart(bench: Bench, nodes: Service[], place: 0 | 1, by: Signal): Promise<void> {
  const node = nodes[place] as Service;
  await node.end(by);
  nodes[place] = await startService(node.env, node.port);
}

function report(bench: Bench, output: Output, samples: readonly Sample[]): void {
  const conditions = conditionsOf(bench);
  const parts: readonly (readonly [string, readonly Sample[]])[] = [
    ...PHASES.map(({ name }) => [name, samples.filter(({ phase }) => phase === name)] as const),
    ...KINDS.map((name) => [name, samples.filter(({ kind }) => kind === name)] as const),
    ['all', samples],
  ];
  console.log(
    `\n${OFFLINE}: ${VERIFIERS} verifiers in ${PROCESSES} processes, two nodes, from the response to a ` +
      `revocation until a verifier rejects the token; bar ${BAR_MS} ms at p99\n`,
  );
  for (const [name, part] of parts) console.log(describe(name, part));
  for (const { name, row } of PHASES) {
    const part = samples.filter(({ phase }) => phase === name);
    const values = KINDS.map((tokenKind) =>
      quantile(timesOf(part.filter(({ kind }) => kind === tokenKind)), 0.99),
    );
    const value = quantile(timesOf(part), 0.99);
    const found = { row, party: 'keywright', unit: 'ms', atMost: BAR_MS, value, values } as const;
    const record = figureOf(conditions, found);
    output.record(record);
    if (!record.verdict?.isMet || countMissing(part) > 0) process.exitCode = 1;
  }
}

function describe(name: string, samples: readonly Sample[]): string {
  const times = timesOf(samples);
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0));
  return (
    `${name.padEnd(28)}${String(samples.length).padStart(5)} revocations, ` +
    `${p50?.padStart(5)} ms p50, ${p99?.padStart(5)} p99, ${most?.padStart(5)} at most; ` +
    `never rejected: ${countMissing(samples)}`
  );
}

function timesOf(samples: readonly Sample[]): Float64Array {
  return Float64Array.from(samples.flatMap(({ milliseconds }) => milliseconds));
}

function countMissing(samples: readonly Sample[]): number {
  return samples.length * VERIFIERS - timesOf(samples).length;
}
