// `npm test`: all tests, or those of files and folders: `npm test -- tests/races`. `--changed` runs those that a change
// affects, since `main` or another `--changed=REF`; `--shard 1/4` a quarter. `--all` adds tests of screens that did not change.
// `--record` writes how long each file took.
// Flags of `node --test` are passed on: `npm test -- --test-name-pattern "SPEC errors 3"`. `npm run test:deep` takes the
// same arguments.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { shareBuild } from '../tests/harness/build.ts';
import { startTestRun } from '../tests/harness/global.ts';
import { BUDGET_SECONDS, measureSlowness } from './test/budget.ts';
import {
  affectedBy,
  filesChangedSince,
  findSharedBranch,
  readImporters,
  testsOfScreens,
} from './test/changed.ts';
import { TIER, TURN } from '../tests/harness/tier.ts';
import { usedMs } from './test/cpu.ts';
import { Durations } from './test/durations.ts';
import { type Options, readOptions } from './test/options.ts';
import { runFiles } from './test/pool.ts';
import { RunReport } from './test/report.ts';
import { filesNamed, SelectionError, testFiles } from './test/selection.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// One process more than there are cores, because tests often wait for a database; at most eight, because each has a
// database in memory.
const WORKERS = Math.min(availableParallelism() + 1, 8);

/** Returns the selected files in starting order. @throws SelectionError */
function select(
  durations: Durations,
  { paths, wantsDeep, wantsAll, changedSince, shard }: Options,
): string[] {
  const files = durations.longestFirst(filesNamed(ROOT, paths, { wantsDeep }));
  if (changedSince === undefined && shard === undefined) {
    const isWhole = wantsDeep || wantsAll || paths.length > 0 || process.env['CI'] !== undefined;
    return isWhole ? files : withoutUnchangedScreens(files);
  }
  const changed = changedSince === undefined ? [] : filesChangedSince(ROOT, changedSince);
  const ofChange =
    changed.length === 0 ? [] : affectedBy(readImporters(ROOT), changed, files, { wantsDeep });
  // Longest first, round-robin, so that shards take similar times.
  const ofShard = shard && files.filter((_, index) => index % shard.of === shard.place);
  const selected = new Set([...ofChange, ...(ofShard ?? [])]);
  return files.filter((file) => selected.has(file));
}

function withoutUnchangedScreens(files: readonly string[]): string[] {
  const branch = findSharedBranch(ROOT);
  const left = branch === undefined ? [] : testsOfScreens(filesChangedSince(ROOT, branch), files);
  if (left.length > 0) {
    console.log(
      `${left.length} test files look at screens and pages that have not changed since ${branch}, and are left out: CI runs them, and --all.`,
    );
  }
  return files.filter((file) => !left.includes(file));
}

function countCommits(): string {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return stdout.trim();
}

/** @returns the exit code */
async function run(options: Options): Promise<number> {
  const { paths, flags, records } = options;
  const slowness = [await measureSlowness()];
  const durations = Durations.read(slowness[0] ?? 1);
  const files = select(durations, options);
  if (files.length === 0) {
    console.log('The change affects no test.');
    return 0;
  }
  const report = new RunReport(files, durations, WORKERS);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
  if (options.wantsDeep) process.env[TIER] = 'deep';
  process.env[TURN] ??= countCommits();
  const workers = Math.min(WORKERS, files.length);
  const [testRun] = await Promise.all([startTestRun(workers), paths.length === 0 && shareBuild()]);
  const { environments } = testRun;
  try {
    await runFiles({ root: ROOT, files, environments, flags }, report, interrupted.signal);
  } finally {
    await testRun.end();
  }
  const isInterrupted = interrupted.signal.aborted;
  slowness.push(await measureSlowness());
  const isWhole = process.env['CI'] !== undefined && process.argv.length === 2;
  report.finish({
    cpuMs: usedMs(),
    slowness: slowness.reduce((sum, value) => sum + value / slowness.length, 0),
    isInterrupted,
    ...(isWhole && { budgetSeconds: BUDGET_SECONDS }),
  });
  if (records) durations.record(report.seconds, testFiles(ROOT));
  return report.hasFailed || isInterrupted ? 1 : 0;
}

try {
  process.exitCode = await run(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SelectionError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
