import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Log } from './log.ts';

/** The number of a worker, from 1. A replacement has the number of the worker it replaces. */
const NUMBER = 'NODE_WORKER_NUMBER';
/** A worker that ran for this long is replaced immediately. */
const PROVEN_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Longer than a worker's own shutdown timeout. */
const LONGEST_STOP_MS = 14_000;

/**
 * Returns the number of processes to start.
 * @param setting a number or auto, as in KEYWRIGHT_WORKERS
 * @param hasServer false: the embedded database, which supports one process
 */
export function countWorkers(setting: string | undefined, hasServer: boolean): number {
  if (setting !== 'auto') return Number(setting ?? 1);
  return hasServer ? availableParallelism() : 1;
}

/** The number of this process, if it is a worker. */
export function readWorkerNumber(): number | undefined {
  return cluster.isWorker ? Number(process.env[NUMBER]) : undefined;
}

/** Processes that share one port. */
export interface Workers {
  /** Shuts the workers down gracefully, and kills them after a timeout. */
  stop(signal: 'SIGTERM' | 'SIGINT'): void;
  /** Resolves with the exit code once all workers have ended after `stop`, or the first start failed. */
  readonly ended: Promise<number>;
}

/**
 * Starts the first worker and, once it listens, the others, so that the output of a first start, or of a failure,
 * appears once. A worker that dies is replaced, immediately or, if it was short-lived, with exponential backoff.
 */
export function startWorkers(count: number, log: Log): Workers {
  const supervisor = new Supervisor(count, log);
  supervisor.start();
  return supervisor;
}

class Supervisor implements Workers {
  readonly ended: Promise<number>;
  readonly #count: number;
  readonly #log: Log;
  readonly #running = new Map<number, Worker>();
  /** Number of consecutive short lives of the worker with that number. */
  readonly #shortLives = new Map<number, number>();
  #hasListened = false;
  #isStopping = false;
  #code = 0;
  #end: (code: number) => void = () => undefined;

  constructor(count: number, log: Log) {
    this.#count = count;
    this.#log = log;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  start(): void {
    this.#fork(1).once('listening', () => {
      this.#hasListened = true;
      for (let number = 2; number <= this.#count && !this.#isStopping; number += 1) {
        this.#fork(number);
      }
    });
  }

  stop(signal: 'SIGTERM' | 'SIGINT'): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#signalAll(signal);
    setTimeout(() => this.#signalAll('SIGKILL'), LONGEST_STOP_MS).unref();
    this.#endWhenAlone();
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const worker of this.#running.values()) worker.process.kill(signal);
  }

  #fork(number: number): Worker {
    const worker = cluster.fork({ [NUMBER]: String(number) });
    const bornAt = performance.now();
    this.#running.set(number, worker);
    worker.once('exit', (code, signal) => {
      this.#running.delete(number);
      if (this.#isStopping) {
        if (code !== 0) this.#code = 1;
        this.#endWhenAlone();
      } else if (this.#hasListened) {
        this.#replace(number, { code, signal, livedMs: performance.now() - bornAt });
      } else {
        this.#end(code || 1);
      }
    });
    return worker;
  }

  #endWhenAlone(): void {
    if (this.#running.size === 0) this.#end(this.#code);
  }

  #replace(number: number, { livedMs, ...how }: { code: number; signal: string; livedMs: number }) {
    const shortLives = livedMs < PROVEN_MS ? (this.#shortLives.get(number) ?? 0) + 1 : 0;
    this.#shortLives.set(number, shortLives);
    const pauseMs =
      shortLives === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 1), LONGEST_PAUSE_MS);
    this.#log.error({ worker: number, ...how, pauseMs }, 'a worker exited and is being replaced');
    setTimeout(() => {
      if (!this.#isStopping) this.#fork(number);
    }, pauseMs);
  }
}
