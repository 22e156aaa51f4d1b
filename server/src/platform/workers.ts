import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Log } from './log.ts';

/** Tells a worker which of them it is, from 1. One that takes the place of another has its number. */
const NUMBER = 'NODE_WORKER_NUMBER';
/** A worker that lived this long has proved itself: the next one in its place is started at once. */
const PROVEN_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Beyond what a worker takes itself for an orderly end. */
const LONGEST_STOP_MS = 14_000;

/**
 * How many processes are to serve. @param asked a number or auto, as KEYWRIGHT_WORKERS has it
 * @param hasServer false: the embedded database, which lives in one process
 */
export function countWorkers(asked: string | undefined, hasServer: boolean): number {
  if (asked !== 'auto') return Number(asked ?? 1);
  return hasServer ? availableParallelism() : 1;
}

/** The number of this process, where it is a worker. */
export function readWorkerNumber(): number | undefined {
  return cluster.isWorker ? Number(process.env[NUMBER]) : undefined;
}

/** Processes that serve together on one port. */
export interface Workers {
  /** Ends them in good order; those that take too long are killed. */
  stop(signal: 'SIGTERM' | 'SIGINT'): void;
  /** Resolves once all have ended after `stop`, or when the first start failed: with the code to exit with. */
  readonly ended: Promise<number>;
}

/**
 * Starts the first and, once it listens, the others: what a first start makes, and why a start fails, is told
 * once. One that dies is replaced, at once or, if it did not live long, after a pause that grows.
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
  /** How often in a row the worker with that number did not live long. */
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
    this.#log.error({ worker: number, ...how, pauseMs }, 'a worker ended and is replaced');
    setTimeout(() => {
      if (!this.#isStopping) this.#fork(number);
    }, pauseMs);
  }
}
