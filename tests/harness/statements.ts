import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import pg from 'pg';

/** The statements sent to PostgreSQL for requests. */
export interface Statements {
  /** The name of each statement, or its text where it has none. */
  readonly sent: readonly string[];
  /** The values of each statement of this name. */
  valuesOf(name: string): (readonly unknown[])[];
  /** The number of round trips: pipelined statements count as one. */
  readonly roundTrips: number;
  /** Whether the current code runs for a recorded request. */
  isWithinRequest(): boolean;
  stop(): void;
}

interface Query {
  (config: string | QueryConfig): unknown;
}

interface QueryConfig {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Excluded statements: background work every few seconds, which is sent together with any concurrent request, and the
 * first statement of a connection, which is opened for any request that needs another one.
 */
const BACKGROUND = [/^kw_count_activity$/, /^\s*WITH wrong AS MATERIALIZED/];
const REQUEST_START = 'http.server.request.start';

interface WatchOptions {
  /** Whether to exclude work that a request leaves for after its response; default false. */
  readonly untilAnswered?: boolean;
}

/**
 * Records each statement of this process caused by a request, on any connection. Background work is excluded: it
 * belongs to no request.
 */
export function watchStatements({ untilAnswered = false }: WatchOptions = {}): Statements {
  const sent: string[] = [];
  const values: (readonly unknown[])[] = [];
  let roundTrips = 0;
  let awaited = 0;
  const request = new AsyncLocalStorage<ServerResponse>();
  const enter = (message: unknown) =>
    request.enterWith((message as { response: ServerResponse }).response);
  const isWithinRequest = () => {
    const response = request.getStore();
    return response !== undefined && !(untilAnswered && response.writableEnded);
  };
  const prototype = pg.Client.prototype as { query: Query };
  const { query } = prototype;
  prototype.query = function watched(this: unknown, ...args: Parameters<Query>) {
    const [config] = args;
    const answer = query.apply(this, args);
    const name = typeof config === 'string' ? config : (config.name ?? config.text);
    if (!isWithinRequest() || BACKGROUND.some((pattern) => pattern.test(name))) return answer;
    sent.push(name);
    values.push(typeof config === 'string' ? [] : (config.values ?? []));
    if (awaited === 0) roundTrips += 1;
    awaited += 1;
    const settle = () => {
      awaited -= 1;
    };
    Promise.resolve(answer).then(settle, settle);
    return answer;
  };
  subscribe(REQUEST_START, enter);
  return {
    sent,
    valuesOf: (name) => values.filter((_, index) => sent[index] === name),
    get roundTrips() {
      return roundTrips;
    },
    isWithinRequest,
    stop() {
      unsubscribe(REQUEST_START, enter);
      prototype.query = query;
    },
  };
}

/** Waiting statements of this process. */
export interface PausedStatements {
  /** Settles when a statement waits. */
  readonly isReached: Promise<void>;
  /** Their number. */
  readonly count: number;
  /** Releases the waiting statements and lets later ones pass. */
  release(): void;
}

/** Holds the statements of this name, so that other work can interleave. */
export function holdStatements(name: string): PausedStatements {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const prototype = pg.Client.prototype as { query: Query };
  const { query } = prototype;
  let count = 0;
  prototype.query = function paused(this: unknown, ...args: Parameters<Query>) {
    const [config] = args;
    if (typeof config === 'string' || config.name !== name) return query.apply(this, args);
    count += 1;
    reached.resolve();
    return released.promise.then(() => query.apply(this, args));
  };
  return {
    isReached: reached.promise,
    get count() {
      return count;
    },
    release() {
      prototype.query = query;
      released.resolve();
    },
  };
}
