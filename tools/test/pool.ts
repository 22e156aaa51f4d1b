// Keeps worker processes busy with test files.

import { type ChildProcess, fork } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from './reporter.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const REPORTER = new URL('reporter.ts', import.meta.url).href;
/** A promise that never settles would hang the run. */
const TEST_TIMEOUT_MS = 600_000;
/** The limit for a worker: embedded databases do not release their memory immediately. */
const MOST_MEMORY_MB = 1000;
/** The maximum wait for the output of an ended process. */
const OUTPUT_MS = 5000;

/** These measure their process, change it or end it: each of these files has a process to itself. */
const ALONE = ['tests/costs/', 'tests/harness/', 'tests/shutdown/', 'tools/'];

export interface Work {
  readonly root: string;
  /** Relative to the root, in starting order. */
  readonly files: readonly string[];
  /** Of each worker. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  /** Flags of `node --test`. */
  readonly flags: readonly string[];
  /** How long a process may stay alive after its last test; default a minute. */
  readonly graceMs?: number;
}

/** Receives what happens in a run. Files are relative to the root. */
export interface Listener {
  started(file: string): void;
  reported(report: Report): void;
  /** Receives output of a file. */
  wrote(file: string, text: string): void;
  /** A worker failed outside its tests: it ended too early, or did not end. */
  broke(file: string, how: string): void;
}

/** Runs the files, several at a time, and resolves when all have ended. */
export async function runFiles(work: Work, listener: Listener, signal: AbortSignal): Promise<void> {
  const queue = [...work.files];
  await Promise.all(
    work.environments.map(async (environment) => {
      while (queue.length > 0 && !signal.aborted) {
        await new Worker(work, environment, listener, signal).runFrom(queue);
      }
    }),
  );
}

/** With these flags, Node.js reports no file after one without a matching test. */
const SELECTS_TESTS = ['--test-name-pattern', '--test-skip-pattern', '--test-only'];

type Exit = readonly [code: number | null, signal: NodeJS.Signals | null];

class Worker {
  readonly #root: string;
  readonly #listener: Listener;
  readonly #signal: AbortSignal;
  readonly #process: ChildProcess;
  readonly #exited: Promise<Exit>;
  readonly #selectsTests: boolean;
  #file = '';
  #hasFailed = false;
  #memoryMb = 0;
  #ended = Promise.withResolvers<void>();

  constructor(
    { root, flags, graceMs = 60_000 }: Work,
    environment: Readonly<Record<string, string>>,
    listener: Listener,
    signal: AbortSignal,
  ) {
    this.#root = root;
    this.#listener = listener;
    this.#signal = signal;
    this.#process = fork(WORKER, [String(graceMs)], {
      cwd: root,
      env: { ...process.env, ...environment },
      execArgv: [
        `--test-reporter=${REPORTER}`,
        '--test-reporter-destination=stdout',
        // Tests run most code a few times: compiling it immediately takes less CPU time than interpreting it first.
        '--always-sparkplug',
        `--test-timeout=${TEST_TIMEOUT_MS}`,
        ...flags,
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      signal,
      killSignal: 'SIGKILL',
    });
    // An interrupted process emits an error before it ends.
    this.#process.on('error', () => {});
    this.#exited = new Promise((resolve) => {
      this.#process.once('close', (code, by) => resolve([code, by]));
      // A process that a test left behind can keep the output open.
      this.#process.once('exit', (code, by) => {
        setTimeout(() => resolve([code, by]), OUTPUT_MS).unref();
      });
    });
    this.#selectsTests = flags.some((flag) =>
      SELECTS_TESTS.some((prefix) => flag.startsWith(prefix)),
    );
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => listener.wrote(this.#file, text));
    }
    this.#process.on('message', (report: Report) => this.#hear(report));
  }

  /** Runs files from the queue until the process must not run another one, and ends it. */
  async runFrom(queue: string[]): Promise<void> {
    let count = 0;
    while (this.#memoryMb < MOST_MEMORY_MB) {
      const [next] = queue;
      if (next === undefined || (count > 0 && this.#isAlone(next))) break;
      queue.shift();
      count += 1;
      this.#file = next;
      this.#ended = Promise.withResolvers();
      this.#listener.started(next);
      this.#process.send(join(this.#root, next));
      const how = await Promise.race([this.#ended.promise, this.#exited]);
      if (how !== undefined) {
        this.#break(how, 'before its tests had');
        return;
      }
      if (this.#isAlone(next)) break;
    }
    this.#process.send('');
    const [code, by] = await this.#exited;
    if (code === 0 || (code === 1 && this.#hasFailed)) return;
    this.#break([code, by], 'after its tests');
  }

  #break([code, by]: Exit, when: string): void {
    const how = by === null ? `with code ${code}` : `by ${by}`;
    if (!this.#signal.aborted) this.#listener.broke(this.#file, `its process ended ${how} ${when}`);
  }

  #isAlone(file: string): boolean {
    return this.#selectsTests || ALONE.some((prefix) => file.startsWith(prefix));
  }

  #hear(report: Report): void {
    // Output of Node.js before the first test of a process belongs to its file.
    const file = report.file === '' ? this.#file : relative(this.#root, report.file);
    if (file !== this.#file) {
      const why = `a test is outside its suite, perhaps in an asynchronous describe: ${report.file}`;
      this.#hasFailed = true;
      this.#listener.broke(this.#file, why);
      return;
    }
    const relativeReport = { ...report, file };
    if (report.kind === 'failed') this.#hasFailed = true;
    this.#listener.reported(relativeReport);
    if (report.kind !== 'ended') return;
    this.#memoryMb = report.memoryMb;
    this.#ended.resolve();
  }
}
