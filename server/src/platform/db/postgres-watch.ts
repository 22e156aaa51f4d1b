import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseClock } from '../clock.ts';
import type { Watch } from './database.ts';
import type { Deadlines, Exchange } from './deadlines.ts';
import { greet } from './greeting.ts';

/** Interval of the heartbeats that verify that the connection receives notifications. */
const BEAT_MS = 1000;
/** After this long without a heartbeat, notifications are assumed to be lost: a pooler or a network can drop them. */
const HEARTBEAT_TIMEOUT_MS = 2500;

/** The current time of the database, in milliseconds since the epoch. */
export const NOW_IN_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const HEARTBEAT = `SELECT pg_notify($1, $2), ${NOW_IN_MS} AS now`;

interface Subscriber {
  readonly onMessage: (payload: string) => void;
  /** Called when notifications may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: Error) => void;
  /** Called when the connection goes through a pooler, which delivers no notifications. */
  readonly onPooled: () => void;
  /** Called with the database's time at each heartbeat. */
  readonly clock: DatabaseClock;
}

/**
 * Listens on a dedicated connection, and reconnects when it breaks. Does not listen behind a pooler, where an
 * occasional heartbeat would suggest that every notification is received.
 */
export class PostgresWatch implements Watch {
  readonly #connection: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  readonly #channel: string;
  readonly #subscriber: Subscriber;
  readonly #heartbeat = `beat ${randomUUID()}`;
  readonly #timer: NodeJS.Timeout;
  #exchange: Exchange | undefined;
  #isConnecting = false;
  #isPooled = false;
  #heartbeatAt = Number.NEGATIVE_INFINITY;

  constructor(
    connection: pg.ClientConfig,
    deadlines: Deadlines,
    channel: string,
    subscriber: Subscriber,
  ) {
    this.#connection = connection;
    this.#deadlines = deadlines;
    this.#channel = channel;
    this.#subscriber = subscriber;
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
    void this.#beat();
  }

  isConnected(): boolean {
    return performance.now() - this.#heartbeatAt < HEARTBEAT_TIMEOUT_MS;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const exchange = this.#exchange;
    exchange?.started();
    await exchange?.client.end();
  }

  async #beat(): Promise<void> {
    if (this.#isPooled || this.#isConnecting) return;
    try {
      this.#exchange ??= await this.#connect();
      // An unanswered heartbeat is not repeated: its deadline drops the connection.
      if (this.#exchange?.inFlight === 0) await this.#sendHeartbeat(this.#exchange);
    } catch (error) {
      this.#subscriber.onError(error as Error);
    }
  }

  async #sendHeartbeat(exchange: Exchange): Promise<void> {
    exchange.started();
    const sentAt = performance.now();
    try {
      const { rows } = await exchange.client.query<{ now: number }>(HEARTBEAT, [
        this.#channel,
        this.#heartbeat,
      ]);
      if (rows[0]) this.#subscriber.clock.learn(rows[0].now, sentAt);
    } catch (error) {
      exchange.drop(error as Error);
      this.#forget(exchange);
      throw error;
    } finally {
      exchange.answered();
    }
  }

  /** @returns undefined behind a pooler */
  async #connect(): Promise<Exchange | undefined> {
    this.#isConnecting = true;
    const application_name = `keywright watch of ${this.#channel}`;
    const client = new pg.Client({ ...this.#connection, application_name });
    try {
      return await this.#listen(client);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    } finally {
      this.#isConnecting = false;
    }
  }

  async #listen(client: pg.Client): Promise<Exchange | undefined> {
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    client.on('error', this.#subscriber.onError);
    await client.connect();
    const exchange = this.#deadlines.watch(client, true);
    client.on('error', () => this.#forget(exchange));
    client.on('end', () => this.#forget(exchange));
    const { isPooled } = await greet(exchange, this.#deadlines);
    exchange.started();
    if (isPooled) {
      this.#stopListening();
      await client.end();
      return undefined;
    }
    await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
    exchange.answered();
    return exchange;
  }

  #stopListening(): void {
    this.#isPooled = true;
    clearInterval(this.#timer);
    this.#subscriber.clock.startMeasuring();
    this.#subscriber.onPooled();
  }

  #receive(payload: string): void {
    if (payload !== this.#heartbeat) {
      if (!payload.startsWith('beat ')) this.#subscriber.onMessage(payload);
      return;
    }
    // Notifications since the last heartbeat may have been lost.
    if (!this.isConnected()) this.#subscriber.onGap();
    this.#heartbeatAt = performance.now();
  }

  #forget(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#heartbeatAt = Number.NEGATIVE_INFINITY;
  }
}
