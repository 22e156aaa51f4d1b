// `npm run bench`: measures the service, the floor of each row and the peers. See README.md.

import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runGate } from './gate/run.ts';
import { MAIL_RUNS } from './mail/run.ts';
import type { Bench } from './measure/bench.ts';
import { measureRow } from './measure/rounds.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { PAINT, runPaint } from './pages/run.ts';
import { profileRow } from './profile/run.ts';
import type { Output } from './report/output.ts';
import { writePage } from './report/page.ts';
import { Published, readLines } from './report/published.ts';
import { conditionsOf, recordOf, titleOf, type RowRecord } from './report/record.ts';
import { describe } from './report/table.ts';
import { describeRatio, isDearer, ratiosOf } from './report/verdict.ts';
import { CONSOLE, runConsole } from './console/run.ts';
import { OFFLINE, runOffline } from './offline/run.ts';
import { REVOCATION, runRevocation } from './revocation/run.ts';
import { MILLION_ROWS, ROWS } from './rows/all.ts';
import type { Row } from './rows/row.ts';
import { describeFigures, measureStartRows, START_ROWS } from './starts/run.ts';
import { runStatus, STATUS } from './status/run.ts';
import { runTenants, TENANT_PARTS } from './tenants/run.ts';
import { loadClients } from './target/clients.ts';
import { loadUsers, MILLION } from './target/users.ts';
import { openBenchDatabase } from './target/database.ts';
import { Peers } from './target/peers.ts';
import { seed } from './target/seed.ts';
import { profileWebhooks, WEBHOOK_RUNS } from './webhooks/run.ts';

const RESULTS = fileURLToPath(new URL('results/', import.meta.url));

/** Rows with more than one kind of load. Rows that end sessions come last, because others need the sessions. */
const RUNS: readonly Run[] = [
  ...WEBHOOK_RUNS,
  ...MAIL_RUNS,
  { name: REVOCATION, run: runRevocation },
  { name: OFFLINE, run: runOffline },
  { name: STATUS, run: runStatus },
  { name: PAINT, run: runPaint },
];

/** These need a tenant with a million users. */
const MILLION_RUNS: readonly Run[] = [{ name: CONSOLE, run: runConsole }];

interface Run {
  readonly name: string;
  readonly run: (bench: Bench, output: Output) => Promise<void>;
}

/** The selected rows, by how they are measured. */
interface Plan {
  readonly rows: readonly Row[];
  /** Rows that need a million users. */
  readonly millionRows: readonly Row[];
  readonly starts: readonly string[];
  readonly tenants: readonly string[];
  readonly runs: readonly Run[];
  /** Runs that need a million users. */
  readonly millionRuns: readonly Run[];
}

async function main(options: Options): Promise<void> {
  const plan = planOf(options);
  if (!existsSync('/proc/self/stat')) throw new Error('CPU time is read from /proc: Linux only.');
  if (options.isGate) {
    const inNewBench = <Result>(work: (bench: Bench) => Promise<Result>) =>
      withBench(options, 0, work);
    const hasPassed = await inNewBench((bench) => runGate(bench, inNewBench, say));
    if (!hasPassed) process.exitCode = 1;
    return;
  }
  mkdirSync(RESULTS, { recursive: true });
  const file = `${RESULTS}${new Date().toISOString().replaceAll(':', '-')}.jsonl`;
  const output = {
    say,
    record: (record: object) => appendFileSync(file, `${JSON.stringify(record)}\n`),
  };
  if (plan.rows.length > 0 || plan.starts.length > 0 || plan.runs.length > 0) {
    await withBench(options, 0, (bench) => runRows(bench, plan, output));
  }
  if (plan.millionRows.length > 0 || plan.millionRuns.length > 0) {
    await withBench(options, MILLION, (bench) => runMillion(bench, plan, output));
  }
  if (options.includesEmbedded) {
    const embedded = { ...options, engine: 'embedded', peers: [] } as const;
    const rows = plan.rows.filter(({ needsSql }) => needsSql !== true);
    await withBench(embedded, 0, (bench) => runCosts(bench, rows, output));
  }
  if (plan.tenants.length > 0) await runTenants(options, plan.tenants, output);
  if (!existsSync(file)) return;
  console.log(`\n${file}`);
  if (options.publish) writePage(Published.read().with(readLines(file)));
}

/** @throws UsageError when no row is selected */
function planOf({ rows: prefixes, isQuick }: Options): Plan {
  const isSelected = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  const isQuickRow = (name: string) => prefixes.length === 0 || isSelected(name);
  const isLongRow = (name: string) => isSelected(name) || (prefixes.length === 0 && !isQuick);
  const plan = {
    rows: ROWS.filter(({ name }) => isQuickRow(name)),
    millionRows: MILLION_ROWS.filter(({ name }) => isLongRow(name)),
    starts: START_ROWS.filter(isQuickRow),
    tenants: TENANT_PARTS.filter(isLongRow),
    runs: RUNS.filter(({ name }) => isLongRow(name)),
    millionRuns: MILLION_RUNS.filter(({ name }) => isLongRow(name)),
  };
  if (Object.values(plan).some((part) => part.length > 0)) return plan;
  const costs = [...ROWS, ...MILLION_ROWS].map((row) => row.name);
  const others = [...RUNS, ...MILLION_RUNS].map(({ name }) => name);
  const names = [...costs, ...START_ROWS, ...others, ...TENANT_PARTS];
  throw new UsageError(`Unknown row: expected ${names.join(', ')}.`);
}

/** @param extraUsers in addition to the users who log in */
async function withBench<Result>(
  options: Options,
  extraUsers: number,
  work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const database = await openBenchDatabase(options.engine);
  const peers = new Peers(database, options.peers, { extraUsers, say });
  const env = {
    ...database.env,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_LOG_LEVEL: options.log,
  };
  try {
    say('setting up the tenant');
    const seeded = await seed(env);
    if (extraUsers > 0) {
      say(`loading ${extraUsers} users`);
      await loadUsers(database, [seeded.tenantId], extraUsers);
    }
    if (options.extraClients > 0) {
      say(`loading ${options.extraClients} clients`);
      await loadClients(database, seeded.tenantId, options.extraClients);
    }
    return await work({ options, database, env, peers, seed: seeded });
  } finally {
    await peers.close();
    await database.close();
  }
}

async function runRows(bench: Bench, plan: Plan, output: Output): Promise<void> {
  if (plan.rows.length > 0) await runCosts(bench, plan.rows, output);
  if (bench.options.profile) {
    if (plan.runs.some(({ name }) => name.startsWith('webhooks')))
      console.log(await profileWebhooks(bench));
    return;
  }
  if (plan.starts.length > 0) {
    say(plan.starts.join(', '));
    const records = await measureStartRows(bench, plan.starts, say);
    for (const record of records) output.record(record);
    console.log(`\n${describeFigures(records)}`);
  }
  for (const { run } of plan.runs) await run(bench, output);
}

async function runMillion(bench: Bench, plan: Plan, output: Output): Promise<void> {
  if (plan.millionRows.length > 0) await runCosts(bench, plan.millionRows, output);
  for (const { run } of plan.millionRuns) await run(bench, output);
}

async function runCosts(bench: Bench, rows: readonly Row[], output: Output): Promise<void> {
  if (bench.options.profile) return profileAll(bench, rows);
  const conditions = conditionsOf(bench);
  const records: RowRecord[] = [];
  for (const row of rows) {
    say(row.name);
    const measured = (await measureRow(bench, row)).map((measurement) =>
      recordOf(conditions, measurement),
    );
    for (const record of measured) output.record(record);
    records.push(...measured);
  }
  console.log(`\n${titleOf(conditions)}\n\n${describe(records)}`);
  reportDearer(records);
}

/** Fails the run if a row costs more than when it was last published, compared with its floor and its best peer. */
function reportDearer(records: readonly RowRecord[]): void {
  const published = Published.read();
  for (const record of records.filter(({ party }) => party === 'keywright')) {
    const last = published.cost(record.row);
    if (!last) continue;
    const now = ratiosOf(record, records);
    const before = ratiosOf(last, published.costs());
    if (!isDearer(now, before)) continue;
    process.exitCode = 1;
    console.log(
      `\n${record.row} is dearer than published: ${describeRatio(now.toFloor)} the floor, was ` +
        `${describeRatio(before.toFloor)}; the best peer costs ${describeRatio(now.toPeer)}, was ${describeRatio(before.toPeer)}`,
    );
  }
}

async function profileAll(bench: Bench, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    say(row.name);
    console.log(`\n${await profileRow(bench, row)}\n`);
  }
}

/** Writes progress to stderr, separate from the figures. */
function say(what: string): void {
  console.error(`bench: ${what}`);
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
