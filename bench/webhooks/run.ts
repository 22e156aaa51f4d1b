import type { Bench } from '../measure/bench.ts';
import { median } from '../measure/statistics.ts';
import { profileRow } from '../profile/run.ts';
import { recordFigures } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { table } from '../report/table.ts';
import { type CostFigures, measureCost, profiledRow } from './cost.ts';
import { type LatencyFigures, measureFairness, measureLatency } from './latency.ts';

/** The parts of the row about webhooks, as `--row` names them. */
export const WEBHOOK_RUNS = [
  { name: 'webhooks-cost', run: runCost },
  { name: 'webhooks-full-load', run: runFullLoad },
  { name: 'webhooks-latency', run: runLatency },
  { name: 'webhooks-fairness', run: runFairness },
] as const;

async function runCost(bench: Bench, output: Output): Promise<void> {
  output.say('webhooks-cost');
  const { costs, rounds } = await measureCost(bench, 'paced');
  const record = recordFigures(bench, output);
  record('webhooks-cost-server', 'µs', rounds.server);
  record('webhooks-cost-database', 'µs', rounds.database);
  record('webhooks-cost-floor', 'µs', rounds.floor);
  record('webhooks-cost', '×', rounds.toFloor, 1.6);
  const floor = `a bare POST ${median(rounds.floor).toFixed(1)} µs, a delivery ${median(rounds.toFloor).toFixed(2)}×`;
  console.log(`\nwebhooks-cost\n${describeCosts(costs)}\n${floor}`);
}

async function runFullLoad(bench: Bench, output: Output): Promise<void> {
  output.say('webhooks-full-load');
  const { costs, rounds } = await measureCost(bench, 'full load');
  recordFigures(bench, output)('webhooks-cost-dead-endpoint', '%', rounds.deadPercent, 5);
  console.log(`\nwebhooks-full-load\n${describeCosts(costs)}`);
}

async function runLatency(bench: Bench, output: Output): Promise<void> {
  output.say('webhooks-latency');
  const [alone, besideDead] = await measureLatency(bench);
  recordFigures(bench, output)('webhooks-latency', 'ms', [alone.p99_ms], 50);
  console.log(`\nwebhooks-latency\n${describeTimes([alone, besideDead])}`);
}

async function runFairness(bench: Bench, output: Output): Promise<void> {
  output.say('webhooks-fairness');
  const [allWell, besideTroubled] = await measureFairness(bench);
  recordFigures(bench, output)('webhooks-fairness', 'ms', [besideTroubled.p99_ms], 2000);
  console.log(`\nwebhooks-fairness\n${describeTimes([allWell, besideTroubled])}`);
}

export async function profileWebhooks(bench: Bench): Promise<string> {
  const { row, close } = await profiledRow(bench);
  try {
    return await profileRow(bench, row);
  } finally {
    close();
  }
}

function describeCosts(costs: readonly CostFigures[]): string {
  return table([
    ['endpoints', 'server µs', 'database µs', 'more', 'more', 'per s', 'p50 ms', 'p99 ms'],
    ...costs.map((cost) => [
      cost.condition,
      cost.server_micros.toFixed(1),
      cost.database_micros.toFixed(1),
      cost.server_micros_more.toFixed(1),
      cost.database_micros_more.toFixed(1),
      cost.per_second.toFixed(0),
      cost.p50_ms.toFixed(1),
      cost.p99_ms.toFixed(1),
    ]),
  ]);
}

function describeTimes(times: readonly LatencyFigures[]): string {
  return table([
    ['endpoints', 'deliveries', 'p50 ms', 'p99 ms', 'most ms', 'p99 ms after the response'],
    ...times.map((time) => [
      time.what,
      String(time.deliveries),
      time.p50_ms.toFixed(1),
      time.p99_ms.toFixed(1),
      time.most_ms.toFixed(1),
      time.p99_after_answer_ms.toFixed(1),
    ]),
  ]);
}
