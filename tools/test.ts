// `npm test`: all tests, or those of files and folders: `npm test -- tests/races`. Passes on flags of `node --test`:
// `npm test -- --test-name-pattern "SPEC errors 3"`. `--record` writes how long each file took.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { shareBuild } from '../tests/harness/build.ts';
import { globalSetup, globalTeardown } from '../tests/harness/global.ts';
import { usedMs } from './test/cpu.ts';
import { Durations } from './test/durations.ts';
import { runFiles } from './test/pool.ts';
import { RunReport } from './test/report.ts';
import { filesNamed, SelectionError, testFiles } from './test/selection.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// One process more than there are cores, because tests often wait for a database; at most eight, because each has a
// database in memory.
const WORKERS = Math.min(availableParallelism() + 1, 8);

interface Options {
  readonly paths: readonly string[];
  /** Of `node --test`. */
  readonly flags: readonly string[];
  readonly wantsDeep: boolean;
  readonly records: boolean;
}

/** Of these flags of `node --test`, the next argument is the value. */
const WITH_VALUE = ['--test-name-pattern', '--test-skip-pattern'];

function readOptions(given: readonly string[]): Options {
  const paths: string[] = [];
  const flags: string[] = [];
  const own = new Set<string>();
  for (let at = 0; at < given.length; at += 1) {
    const argument = given[at] ?? '';
    if (WITH_VALUE.includes(argument)) {
      at += 1;
      flags.push(`${argument}=${given[at] ?? ''}`);
    } else if (argument === '--deep' || argument === '--record') own.add(argument);
    else if (argument.startsWith('--test-')) flags.push(argument);
    else if (argument.startsWith('-')) throw new SelectionError(`There is no option ${argument}.`);
    else paths.push(argument);
  }
  return { paths, flags, wantsDeep: own.has('--deep'), records: own.has('--record') };
}

/** @returns the exit code */
async function run({ paths, flags, wantsDeep, records }: Options): Promise<number> {
  const durations = Durations.read();
  const files = durations.longestFirst(filesNamed(ROOT, paths, { wantsDeep }));
  const report = new RunReport(files, durations, WORKERS);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  if (paths.length === 0) await shareBuild();
  await globalSetup();
  try {
    await runFiles({ root: ROOT, files, workers: WORKERS, flags }, report, interrupted.signal);
  } finally {
    await globalTeardown();
  }
  const isInterrupted = interrupted.signal.aborted;
  report.finish(usedMs(), isInterrupted);
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
