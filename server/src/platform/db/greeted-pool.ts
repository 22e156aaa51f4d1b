import pg from 'pg';
import { reasonOf } from '../reason.ts';
import type { Deadlines, Exchange } from './deadlines.ts';
import { isOutOfConnections } from './failures.ts';
import { greet } from './greeting.ts';
import { storeSettings } from './session-settings.ts';

const SIZE = 10;
/** Interval at which the pool tries to grow again after the server accepted no more connections. */
const GROW_AGAIN_MS = 250;
const QUEUE_TIMEOUT = /timeout exceeded when trying to connect/;

/** A connection for transactions, until it is released. */
export interface GreetedClient {
  readonly client: pg.PoolClient;
  readonly exchange: Exchange;
}

/** The connections for transactions. If the server accepts no more, requests queue for the pool's open connections. */
export class GreetedPool {
  readonly #pool: pg.Pool;
  readonly #deadlines: Deadlines;
  readonly #queueMs: number;
  readonly #onError: (error: Error) => void;
  readonly #makeRoom: () => void;
  readonly #exchanges = new WeakMap<pg.PoolClient, Exchange>();
  /** The connections that the server has accepted. The pool also counts those that it is trying to open. */
  readonly #accepted = new Set<pg.PoolClient>();
  /** Whether to store settings for the role if there is a pooler. */
  #storesSettings: boolean;
  #growingAgain: NodeJS.Timeout | undefined;
  /** Why the pool could not grow; undefined after it has. */
  #refusal: Error | undefined;

  /** @param makeRoom called before each attempt to grow while the server accepts no connection and the pool has none */
  constructor(
    connection: pg.ClientConfig,
    deadlines: Deadlines,
    onError: (error: Error) => void,
    makeRoom: () => void,
    storesSettings = true,
  ) {
    this.#deadlines = deadlines;
    this.#storesSettings = storesSettings;
    this.#queueMs = connection.connectionTimeoutMillis ?? deadlines.limitMs;
    this.#onError = onError;
    this.#makeRoom = makeRoom;
    this.#pool = new pg.Pool({
      ...connection,
      max: SIZE,
      // The last connection is not closed when idle, since another client could take its slot on the server.
      min: 1,
      application_name: 'keywright',
    });
    this.#pool.on('connect', (client) => {
      this.#refusal = undefined;
      this.#accepted.add(client);
      // The pool handles only errors of idle connections; an unhandled error in a transaction would end the process.
      client.on('error', onError);
    });
    this.#pool.on('remove', (client) => this.#accepted.delete(client));
    this.#pool.on('error', () => {
      // The connection's handler has already reported the error.
    });
  }

  /** Number of connections by state. */
  get counts(): Readonly<Record<string, number>> {
    const { idleCount, totalCount, waitingCount } = this.#pool;
    return { idle: idleCount, used: totalCount - idleCount, waited_for: waitingCount };
  }

  async connect(): Promise<GreetedClient> {
    const client = await this.#take();
    return { client, exchange: this.#exchanges.get(client) ?? (await this.#greet(client)) };
  }

  end(): Promise<void> {
    clearTimeout(this.#growingAgain);
    return this.#pool.end();
  }

  async #take(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + this.#queueMs;
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        // A queue timeout does not explain why there are too few connections.
        if (QUEUE_TIMEOUT.test(reasonOf(error))) throw this.#refusal ?? error;
        if (!isOutOfConnections(error) || performance.now() > giveUpAt) throw error;
        this.#stopGrowing(error as Error);
      }
    }
  }

  /** Limits the pool to its open connections, so that it queues further requests. */
  #stopGrowing(refusal: Error): void {
    this.#pool.options.max = this.#accepted.size;
    if (this.#refusal === undefined) this.#onError(refusal);
    this.#refusal = refusal;
    // Of several attempts that failed at the same time, only the first makes room.
    if (this.#growingAgain) return;
    this.#growingAgain = setTimeout(() => void this.#growAgain(), GROW_AGAIN_MS).unref();
    if (this.#accepted.size === 0) this.#makeRoom();
  }

  /** Tries to open one connection, on behalf of all waiting requests. */
  async #growAgain(): Promise<void> {
    this.#growingAgain = undefined;
    if (this.#pool.waitingCount > 0) {
      this.#pool.options.max = this.#accepted.size + 1;
      try {
        (await this.#pool.connect()).release();
      } catch (error) {
        if (isOutOfConnections(error)) return this.#stopGrowing(error as Error);
      }
    }
    this.#pool.options.max = SIZE;
  }

  async #greet(client: pg.PoolClient): Promise<Exchange> {
    const exchange = this.#deadlines.watch(client);
    try {
      const { isPooled, wrong } = await greet(exchange, this.#deadlines);
      if (isPooled && this.#storesSettings) {
        exchange.started();
        await storeSettings(client, wrong).finally(() => exchange.answered());
      }
      this.#storesSettings = false;
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#exchanges.set(client, exchange);
    return exchange;
  }
}
