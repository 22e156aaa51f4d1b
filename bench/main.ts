// `npm run bench`: measures the service beside a calibration of the machine. See README.md.

import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Bench } from './measure/bench.ts';
import { measureRow } from './measure/rounds.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { profileRow } from './profile/run.ts';
import { describeDifference, readRecords } from './report/compare.ts';
import { circumstances, recordOf, type RowRecord } from './report/record.ts';
import { describe, type Line } from './report/table.ts';
import { REVOCATION, runRevocation } from './revocation/run.ts';
import { ROWS, rowsNamed } from './rows/all.ts';
import type { Row } from './rows/row.ts';
import { runTenants, TENANT_PARTS } from './tenants/run.ts';
import { openBenchDatabase } from './target/database.ts';
import { seed } from './target/seed.ts';

const RESULTS = fileURLToPath(new URL('results/', import.meta.url));

async function main(options: Options): Promise<void> {
  const rows = rowsNamed(options.rows);
  const parts = TENANT_PARTS.filter((part) => options.rows.some((name) => part.startsWith(name)));
  const isRevoking = options.rows.some((name) => REVOCATION.startsWith(name));
  if (rows.length + parts.length === 0 && !isRevoking) {
    const names = [...ROWS.map((row) => row.name), REVOCATION, ...TENANT_PARTS];
    throw new UsageError(`There are these rows: ${names.join(', ')}.`);
  }
  if (!existsSync('/proc/self/stat')) throw new Error('CPU time is read from /proc: Linux only.');
  mkdirSync(RESULTS, { recursive: true });
  if (rows.length > 0 || isRevoking) await runRows(options, rows, isRevoking);
  if (parts.length > 0) await runTenants(options, parts, { say, file: resultFile() });
}

function resultFile(): string {
  return `${RESULTS}${new Date().toISOString().replaceAll(':', '-')}.jsonl`;
}

async function runRows(options: Options, rows: readonly Row[], isRevoking: boolean): Promise<void> {
  const earlier = options.compare === undefined ? undefined : readRecords(options.compare);
  const bench = await open(options);
  try {
    if (options.profile) await profileAll(bench, rows);
    else if (rows.length > 0) await measureAll(bench, rows, earlier);
    if (isRevoking && !options.profile) await runRevocation(bench, { say, file: resultFile() });
  } finally {
    await bench.database.close();
  }
}

async function open(options: Options): Promise<Bench> {
  const database = await openBenchDatabase(options.engine);
  say('setting up the tenant');
  const env = {
    ...database.env,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_LOG_LEVEL: options.log,
  };
  try {
    return { options, database, env, seed: await seed(env) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function measureAll(
  bench: Bench,
  rows: readonly Row[],
  earlier: ReadonlyMap<string, RowRecord> | undefined,
): Promise<void> {
  const around = circumstances(bench);
  const lines: Line[] = [];
  const file = resultFile();
  for (const row of rows) {
    say(row.name);
    const record = recordOf(around, await measureRow(bench, row));
    lines.push({ record, bar: row.bar });
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }
  const { commit, node, database, cores, connections, seconds, rounds, log } = around;
  console.log(
    `\nCommit ${commit}, Node.js ${node}, ${database}, ${cores} cores, ${connections} connections, ` +
      `log level ${log}, medians of ${rounds} rounds of ${seconds} s\n`,
  );
  console.log(describe(lines));
  if (earlier)
    console.log(
      `\n${describeDifference(
        earlier,
        lines.map((line) => line.record),
      )}`,
    );
  console.log(`\n${file}`);
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
