// What a run prints.

import { EXPENSIVE } from '../../tests/expensive.ts';
import { FILE_BUDGET_SECONDS } from './budget.ts';
import type { Listener } from './pool.ts';
import type { Outcome, Report } from './reporter.ts';
import type { Durations } from './durations.ts';

/** Runs of at most this many files list every test. */
const LISTED_FILES = 5;
const MOST_LISTED = 20;
const MOST_ERROR_LINES = 12;
const CLEAR_LINE = '\r\u001B[2K';

interface RunEnd {
  /** The CPU time of the whole run, including databases and browsers. */
  readonly cpuMs: number;
  /** See measureSlowness. */
  readonly slowness: number;
  readonly isInterrupted: boolean;
  /** CPU time on the reference machine above which the run fails; with it, each file has a limit too. Default no limit. */
  readonly budgetSeconds?: number;
}

interface FileResult {
  readonly name: string;
  readonly startedMs: number;
  output: string;
  tests: number;
  seconds?: number;
  cpuMs?: number;
}

export class RunReport implements Listener {
  readonly #files: readonly string[];
  readonly #durations: Durations;
  readonly #workers: number;
  readonly #results = new Map<string, FileResult>();
  readonly #startedMs = performance.now();
  readonly #failures: Outcome[] = [];
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #isTerminal = process.stdout.isTTY;

  constructor(files: readonly string[], durations: Durations, workers: number) {
    this.#files = files;
    this.#durations = durations;
    this.#workers = workers;
    const estimate = durations.estimate(files, workers);
    const count = `${files.length} test ${files.length === 1 ? 'file' : 'files'}`;
    console.log(`${count}, ${describeTime(estimate)} if little else runs here`);
  }

  get hasFailed(): boolean {
    return this.#counts.failed > 0;
  }

  /** The durations of the ended files, in seconds. */
  get seconds(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#results.values()].flatMap(({ name, seconds }) =>
        seconds === undefined ? [] : [[name, seconds]],
      ),
    );
  }

  started(file: string): void {
    const startedMs = performance.now();
    this.#results.set(file, { name: file, startedMs, output: '', tests: 0 });
    this.#showProgress();
  }

  reported(report: Report): void {
    const result = this.#results.get(report.file);
    // An unreported failure would pass for success.
    if (!result) throw new Error(`A test reports for ${report.file}, which has not begun.`);
    if (report.kind === 'ended') this.#end(result, report.cpuMs);
    else if (report.kind === 'note') this.#list(report.depth, report.text);
    else this.#judge(result, report);
  }

  wrote(file: string, text: string): void {
    if (this.#listsTests) this.#print(text.trimEnd());
    const result = this.#results.get(file);
    if (result) result.output += text;
  }

  broke(file: string, how: string): void {
    const result = this.#results.get(file);
    if (!result) return;
    const error = [how, result.output].join('\n');
    this.#fail(result, {
      kind: 'failed',
      file,
      isSuite: true,
      depth: 0,
      name: file,
      error,
    });
    if (result.seconds === undefined) this.#end(result, 0);
  }

  finish({ cpuMs, slowness, isInterrupted, budgetSeconds }: RunEnd): void {
    if (this.#isTerminal) process.stdout.write(CLEAR_LINE);
    const ended = [...this.#results.values()].filter(({ seconds }) => seconds !== undefined);
    if (ended.length > LISTED_FILES) this.#listExpensive(ended);
    const cpuSeconds = Math.round(cpuMs / 1000);
    const comparable = Math.round(cpuMs / 1000 / slowness);
    const elapsed = describeSeconds((performance.now() - this.#startedMs) / 1000);
    console.log(
      `\n${elapsed}, ${cpuSeconds} s of CPU time; ${comparable} s on the reference machine, which is ${slowness.toFixed(2)} times as fast`,
    );
    if (budgetSeconds !== undefined) {
      if (comparable > budgetSeconds) {
        this.#counts.failed += 1;
        console.log(`\nThe tests may take ${budgetSeconds} s of CPU time on the reference machine`);
      }
      this.#failOverBudget(ended, slowness);
    }
    if (this.#failures.length > 0) {
      console.log('\nFailed, each with the command that repeats it:');
      for (const failure of this.#failures) this.#recall(failure);
    }
    if (isInterrupted)
      console.log(`\nInterrupted after ${ended.length} of ${this.#files.length} files`);
    if (this.#counts.passed + this.#counts.failed + this.#counts.skipped === 0 && !isInterrupted) {
      this.#counts.failed = 1;
      console.log('\nNo test has run: none of these files has one with such a name');
    }
    const { passed, failed, skipped } = this.#counts;
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
  }

  #failOverBudget(ended: readonly FileResult[], slowness: number): void {
    for (const { name, cpuMs = 0 } of ended) {
      const seconds = cpuMs / 1000 / slowness;
      if (seconds <= FILE_BUDGET_SECONDS || Object.hasOwn(EXPENSIVE, name)) continue;
      this.#counts.failed += 1;
      console.log(
        `\n${name} took ${seconds.toFixed(1)} s of CPU time on the reference machine. Take less, or say why in tests/expensive.ts`,
      );
    }
  }

  get #listsTests(): boolean {
    return this.#files.length <= LISTED_FILES;
  }

  #judge(result: FileResult, outcome: Outcome): void {
    if (!outcome.isSuite) result.tests += 1;
    if (outcome.kind === 'failed') {
      if (outcome.error !== undefined) this.#fail(result, outcome);
      return;
    }
    if (!outcome.isSuite) this.#counts[outcome.kind] += 1;
    const sign = outcome.kind === 'skipped' ? '-' : '✔';
    if (outcome.depth > 0) this.#list(outcome.depth, `${sign} ${outcome.name}`);
  }

  #fail(result: FileResult, failure: Outcome): void {
    this.#counts.failed += 1;
    this.#failures.push(failure);
    const { error = '' } = failure;
    const output =
      result.output === '' || error.includes(result.output) ? '' : `\n${indent(result.output)}`;
    this.#print(`✖ ${titleOf(failure)}\n${indent(error)}${output}`);
  }

  #end(result: FileResult, cpuMs: number): void {
    result.cpuMs = cpuMs;
    result.seconds = (performance.now() - result.startedMs) / 1000;
    const seconds = `${result.seconds.toFixed(1).padStart(6)} s`;
    this.#print(`${seconds}  ${result.name} (${result.tests})`);
    this.#showProgress();
  }

  #list(depth: number, text: string): void {
    if (this.#listsTests) this.#print(`${'  '.repeat(depth)}${text}`);
  }

  #print(text: string): void {
    if (this.#isTerminal) process.stdout.write(CLEAR_LINE);
    console.log(text);
  }

  #showProgress(): void {
    if (!this.#isTerminal) return;
    const results = [...this.#results.values()];
    const running = results.filter(({ seconds }) => seconds === undefined).map(({ name }) => name);
    const ended = results.length - running.length;
    const rest = this.#files.filter((file) => this.#results.get(file)?.seconds === undefined);
    const left = describeTime(this.#durations.estimate(rest, this.#workers));
    const line = `${ended} of ${this.#files.length} files, ${this.#counts.failed} failed, ${left} left: ${running.join(', ')}`;
    process.stdout.write(`${CLEAR_LINE}${line.slice(0, process.stdout.columns - 1)}`);
  }

  /** Includes the start of the error, because often only the end of a long log is kept. */
  #recall(failure: Outcome): void {
    const lines = this.#listsTests ? [] : (failure.error ?? '').split('\n');
    const error = lines.slice(0, MOST_ERROR_LINES).map((line) => `\n    ${line}`);
    console.log(`  ${titleOf(failure)}${error.join('')}\n    ${commandOf(failure)}`);
  }

  #listExpensive(ended: readonly FileResult[]): void {
    console.log('\nMost CPU time, without the shared database:');
    const sorted = ended.toSorted((result, other) => (other.cpuMs ?? 0) - (result.cpuMs ?? 0));
    for (const { name, cpuMs = 0, seconds = 0 } of sorted.slice(0, MOST_LISTED)) {
      const cpu = `${(cpuMs / 1000).toFixed(1).padStart(6)} s`;
      console.log(`${cpu}, in ${seconds.toFixed(1).padStart(6)} s  ${name}`);
    }
  }
}

function titleOf({ file, depth, name }: Outcome): string {
  return depth === 0 ? file : `${file}: ${name}`;
}

function commandOf({ file, depth, name }: Outcome): string {
  const command = `npm test -- ${file}`;
  if (depth === 0) return command;
  const pattern = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return `${command} --test-name-pattern '${pattern.replaceAll("'", '.')}'`;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}

function describeTime(seconds: number): string {
  return seconds < 60
    ? `about ${Math.ceil(seconds)} s`
    : `about ${Math.ceil(seconds / 60)} minutes`;
}

function describeSeconds(seconds: number): string {
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
