// `npm run bench`: measures the service beside a calibration of the machine. See README.md.

import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Bench } from './measure/bench.ts';
import { measureRow } from './measure/rounds.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { profileRow } from './profile/run.ts';
import { describeDifference, readRecords } from './report/compare.ts';
import { writePage } from './report/page.ts';
import { Published, readLines } from './report/published.ts';
import { circumstances, recordOf, type RowRecord } from './report/record.ts';
import { describe } from './report/table.ts';
import { OFFLINE, runOffline } from './offline/run.ts';
import { REVOCATION, runRevocation } from './revocation/run.ts';
import { CROWD_ROWS, ROWS } from './rows/all.ts';
import type { Row } from './rows/row.ts';
import { describeFigures, measureStartRows, START_ROWS } from './starts/run.ts';
import { runStatus, STATUS } from './status/run.ts';
import { runTenants, TENANT_PARTS } from './tenants/run.ts';
import { CROWD, loadCrowd } from './target/crowd.ts';
import { openBenchDatabase } from './target/database.ts';
import { createPeers } from './target/peers.ts';
import { seed } from './target/seed.ts';
import { profileWebhooks, WEBHOOK_RUNS } from './webhooks/run.ts';

const RESULTS = fileURLToPath(new URL('results/', import.meta.url));

/** What is no load of one kind of request. Those that end sessions come last: others need them. */
const RUNS: readonly Run[] = [
  ...WEBHOOK_RUNS,
  { name: REVOCATION, run: runRevocation },
  { name: OFFLINE, run: runOffline },
  { name: STATUS, run: runStatus },
];

interface Run {
  readonly name: string;
  readonly run: (bench: Bench, output: Output) => Promise<void>;
}

interface Output {
  readonly say: (what: string) => void;
  readonly file: string;
}

/** What a run is asked for, by where it is measured. */
interface Plan {
  readonly rows: readonly Row[];
  /** Those that are measured beside a million people. */
  readonly crowdRows: readonly Row[];
  readonly starts: readonly string[];
  readonly tenants: readonly string[];
  readonly runs: readonly Run[];
}

async function main(options: Options): Promise<void> {
  const plan = planOf(options);
  if (!existsSync('/proc/self/stat')) throw new Error('CPU time is read from /proc: Linux only.');
  mkdirSync(RESULTS, { recursive: true });
  const file = `${RESULTS}${new Date().toISOString().replaceAll(':', '-')}.jsonl`;
  if (plan.rows.length > 0 || plan.starts.length > 0 || plan.runs.length > 0) {
    await withBench(options, 0, (bench) => runRows(bench, plan, file));
  }
  if (plan.crowdRows.length > 0) {
    await withBench(options, CROWD, (bench) => runCosts(bench, plan.crowdRows, file));
  }
  if (options.isEmbeddedBeside) {
    const embedded = { ...options, engine: 'embedded', peers: [] } as const;
    await withBench(embedded, 0, (bench) => runCosts(bench, plan.rows, file));
  }
  if (plan.tenants.length > 0) await runTenants(options, plan.tenants, { say, file });
  if (!existsSync(file)) return;
  console.log(`\n${file}`);
  if (options.publish) writePage(Published.read().with(readLines(file)));
}

/** @throws UsageError when nothing is called so */
function planOf({ rows: wanted, isQuick }: Options): Plan {
  const isWanted = (name: string) => wanted.some((prefix) => name.startsWith(prefix));
  const usual = (name: string) => wanted.length === 0 || isWanted(name);
  const long = (name: string) => isWanted(name) || (wanted.length === 0 && !isQuick);
  const plan = {
    rows: ROWS.filter(({ name }) => usual(name)),
    crowdRows: CROWD_ROWS.filter(({ name }) => long(name)),
    starts: START_ROWS.filter(usual),
    tenants: TENANT_PARTS.filter(long),
    runs: RUNS.filter(({ name }) => long(name)),
  };
  if (Object.values(plan).some((part) => part.length > 0)) return plan;
  const costs = [...ROWS, ...CROWD_ROWS].map((row) => row.name);
  const others = RUNS.map(({ name }) => name);
  const names = [...costs, ...START_ROWS, ...others, ...TENANT_PARTS];
  throw new UsageError(`There are these rows: ${names.join(', ')}.`);
}

/** @param crowd people beside those that log in */
async function withBench(
  options: Options,
  crowd: number,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const database = await openBenchDatabase(options.engine);
  const peers = createPeers(database, { wanted: options.peers, crowd, say });
  const env = {
    ...database.env,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_LOG_LEVEL: options.log,
  };
  try {
    say('setting up the tenant');
    const seeded = await seed(env);
    if (crowd > 0) {
      say(`loading ${crowd} people`);
      await loadCrowd(database, [seeded.tenantId], crowd);
    }
    await work({ options, database, env, peers, seed: seeded });
  } finally {
    await peers.close();
    await database.close();
  }
}

async function runRows(bench: Bench, plan: Plan, file: string): Promise<void> {
  if (plan.rows.length > 0) await runCosts(bench, plan.rows, file);
  if (bench.options.profile) {
    if (plan.runs.some(({ name }) => name.startsWith('webhooks')))
      console.log(await profileWebhooks(bench));
    return;
  }
  if (plan.starts.length > 0) {
    say(plan.starts.join(', '));
    const records = await measureStartRows(bench, plan.starts, say);
    for (const record of records) appendFileSync(file, `${JSON.stringify(record)}\n`);
    console.log(`\n${describeFigures(records)}`);
  }
  for (const { run } of plan.runs) await run(bench, { say, file });
}

async function runCosts(bench: Bench, rows: readonly Row[], file: string): Promise<void> {
  const { compare, profile } = bench.options;
  if (profile) return profileAll(bench, rows);
  const earlier = compare === undefined ? undefined : readRecords(compare);
  const around = circumstances(bench);
  const records: RowRecord[] = [];
  for (const row of rows) {
    say(row.name);
    const found = (await measureRow(bench, row)).map((one) => recordOf(around, one));
    for (const record of found) appendFileSync(file, `${JSON.stringify(record)}\n`);
    records.push(...found);
  }
  const { commit, node, database, cores, connections, seconds, rounds, log } = around;
  console.log(
    `\nCommit ${commit}, Node.js ${node}, ${database}, ${cores} cores, ${connections} connections, ` +
      `log level ${log}, medians of ${rounds} rounds of ${seconds} s\n`,
  );
  console.log(describe(records));
  if (earlier) console.log(`\n${describeDifference(earlier, records)}`);
}

async function profileAll(bench: Bench, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    say(row.name);
    console.log(`\n${await profileRow(bench, row)}\n`);
  }
}

/** Progress goes where it doesn't mix with the figures. */
function say(what: string): void {
  console.error(`bench: ${what}`);
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
