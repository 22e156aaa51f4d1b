import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Watch } from './database.ts';
import type { Deadlines, Exchange } from './deadlines.ts';
import { greet } from './greeting.ts';

/** How often the connection proves itself by hearing its own voice. */
const BEAT_MS = 1000;
/** After this long without, announcements are taken to be lost: a pooler or a network may swallow them. */
const SILENCE_MS = 2500;

interface Hearer {
  readonly onMessage: (payload: string) => void;
  /** Announcements may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: Error) => void;
  /** There will be no announcements. */
  readonly onPooled: () => void;
}

/**
 * Listens on a connection of its own, and connects again when it breaks. Behind a pooler it hears nothing, and does
 * not try: now and then it might hear its own voice, and take that for a sign that it hears everything.
 */
export class PostgresWatch implements Watch {
  readonly #connection: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  readonly #channel: string;
  readonly #hearer: Hearer;
  readonly #voice = `beat ${randomUUID()}`;
  readonly #timer: NodeJS.Timeout;
  #exchange: Exchange | undefined;
  #isConnecting = false;
  #isDeaf = false;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(connection: pg.ClientConfig, deadlines: Deadlines, channel: string, hearer: Hearer) {
    this.#connection = connection;
    this.#deadlines = deadlines;
    this.#channel = channel;
    this.#hearer = hearer;
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
    void this.#beat();
  }

  isHeard(): boolean {
    return performance.now() - this.#heardAt < SILENCE_MS;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const exchange = this.#exchange;
    exchange?.sent();
    await exchange?.client.end();
  }

  async #beat(): Promise<void> {
    if (this.#isDeaf || this.#isConnecting) return;
    try {
      this.#exchange ??= await this.#connect();
      // A beat that is not answered is not repeated: the connection is dropped when it is overdue.
      if (this.#exchange?.underWay === 0) await this.#say(this.#exchange);
    } catch (error) {
      this.#hearer.onError(error as Error);
    }
  }

  async #say(exchange: Exchange): Promise<void> {
    exchange.sent();
    try {
      await exchange.client.query('SELECT pg_notify($1, $2)', [this.#channel, this.#voice]);
    } catch (error) {
      exchange.drop(error as Error);
      this.#forget(exchange);
      throw error;
    } finally {
      exchange.answered();
    }
  }

  /** @returns nothing where there is a pooler */
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
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    client.on('error', this.#hearer.onError);
    await client.connect();
    const exchange = this.#deadlines.watch(client, true);
    client.on('error', () => this.#forget(exchange));
    client.on('end', () => this.#forget(exchange));
    const { isPooled } = await greet(exchange, this.#deadlines.limitMs);
    exchange.sent();
    if (isPooled) {
      this.#becomeDeaf();
      await client.end();
      return undefined;
    }
    await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
    exchange.answered();
    return exchange;
  }

  #becomeDeaf(): void {
    this.#isDeaf = true;
    clearInterval(this.#timer);
    this.#hearer.onPooled();
  }

  #hear(payload: string): void {
    if (payload !== this.#voice) {
      if (!payload.startsWith('beat ')) this.#hearer.onMessage(payload);
      return;
    }
    // Whatever was announced while nothing was heard is unknown.
    if (!this.isHeard()) this.#hearer.onGap();
    this.#heardAt = performance.now();
  }

  #forget(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    this.#heardAt = Number.NEGATIVE_INFINITY;
  }
}
