// Keeps worker processes busy with test files.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from './reporter.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const REPORTER = new URL('reporter.ts', import.meta.url).href;
/** A promise that never settles would hang the run. */
const TEST_TIMEOUT_MS = 600_000;
/** What a worker has loaded and compiled is not all given back between files. */
const MOST_FILES = 40;
const MOST_MEMORY_MB = 1200;

/** These measure their process, change it or end it: each of these files has a process to itself. */
const ALONE = ['tests/costs/', 'tests/harness/', 'tests/shutdown/', 'tools/'];

export interface Work {
  readonly root: string;
  /** Relative to the root, in the order in which they begin. */
  readonly files: readonly string[];
  readonly workers: number;
  /** Flags of `node --test`. */
  readonly flags: readonly string[];
}

/** What the run is told. Files are relative to the root. */
export interface Listener {
  began(file: string): void;
  reported(report: Report): void;
  /** What a file wrote to its output. */
  wrote(file: string, text: string): void;
  /** A worker failed beside its tests: it ended too early, or would not end. */
  broke(file: string, how: string): void;
}

/** Runs the files, several at a time, and resolves when all have ended. */
export async function runFiles(work: Work, listener: Listener, signal: AbortSignal): Promise<void> {
  const queue = [...work.files];
  await Promise.all(
    Array.from({ length: work.workers }, async () => {
      while (queue.length > 0 && !signal.aborted) {
        await new Worker(work, listener, signal).runFrom(queue);
      }
    }),
  );
}

const isAlone = (file: string) => ALONE.some((prefix) => file.startsWith(prefix));

class Worker {
  readonly #root: string;
  readonly #listener: Listener;
  readonly #process: ChildProcess;
  #file = '';
  #hasFailed = false;
  #memoryMb = 0;
  #ended = Promise.withResolvers<void>();

  constructor({ root, flags }: Work, listener: Listener, signal: AbortSignal) {
    this.#root = root;
    this.#listener = listener;
    this.#process = fork(WORKER, {
      cwd: root,
      execArgv: [
        `--test-reporter=${REPORTER}`,
        '--test-reporter-destination=stdout',
        `--test-timeout=${TEST_TIMEOUT_MS}`,
        ...flags,
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      signal,
      killSignal: 'SIGKILL',
    });
    this.#process.on('error', () => {});
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => listener.wrote(this.#file, text));
    }
    this.#process.on('message', (report: Report) => this.#hear(report));
  }

  /** Runs files of the queue until the process has had enough, and ends it. */
  async runFrom(queue: string[]): Promise<void> {
    const exited = once(this.#process, 'exit') as Promise<[number | null, string | null]>;
    let count = 0;
    while (count < MOST_FILES && this.#memoryMb < MOST_MEMORY_MB) {
      const [next] = queue;
      if (next === undefined || (count > 0 && isAlone(next))) break;
      queue.shift();
      count += 1;
      this.#file = next;
      this.#ended = Promise.withResolvers();
      this.#listener.began(next);
      this.#process.send(join(this.#root, next));
      const how = await Promise.race([this.#ended.promise, exited]);
      if (how !== undefined) {
        this.#listener.broke(next, `its process ended ${describe(how)} before its tests had`);
        return;
      }
      if (isAlone(next)) break;
    }
    this.#process.send('');
    const [code, by] = await exited;
    if (code === 0 || (code === 1 && this.#hasFailed)) return;
    this.#listener.broke(this.#file, `its process ended ${describe([code, by])} after its tests`);
  }

  #hear(report: Report): void {
    const told = { ...report, file: relative(this.#root, report.file) };
    if (report.kind === 'failed') this.#hasFailed = true;
    this.#listener.reported(told);
    if (report.kind !== 'ended') return;
    this.#memoryMb = report.memoryMb;
    this.#ended.resolve();
  }
}

function describe([code, signal]: [number | null, string | null]): string {
  return signal === null ? `with code ${code}` : `by ${signal}`;
}
