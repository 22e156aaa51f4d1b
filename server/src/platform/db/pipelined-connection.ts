import pg from 'pg';
import type { Statement } from './database.ts';
import type { Deadlines, Exchange } from './deadlines.ts';
import { isOutOfConnections, isReadOnly } from './failures.ts';
import { greet } from './greeting.ts';

interface OpenConnection {
  readonly exchange: Exchange;
  /** False behind a pooler, where a named statement would be prepared in one process and executed in another. */
  readonly isNamed: boolean;
}

/** Pause between attempts to connect while the server accepts no more connections. */
const CONNECT_AGAIN_MS = 250;

/**
 * A connection in pipeline mode, which sends statements without waiting for previous results. Connects on first use,
 * and reconnects after a failure.
 */
export class PipelinedConnection {
  readonly #options: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  readonly #onError: (error: Error) => void;
  #connection: Promise<OpenConnection> | undefined;
  /** Time of the next attempt after the server accepted no more connections, from performance.now(). */
  #connectAt = 0;
  /** Statements without a result so far. */
  #inFlight = 0;

  constructor(options: pg.ClientConfig, deadlines: Deadlines, onError: (error: Error) => void) {
    this.#options = options;
    this.#deadlines = deadlines;
    this.#onError = onError;
  }

  /** Number of statements without a result so far; Infinity while the server accepts no more connections. */
  get load(): number {
    if (this.#connectAt === 0 || performance.now() > this.#connectAt) return this.#inFlight;
    return Number.POSITIVE_INFINITY;
  }

  async run<Row>(one: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#inFlight += 1;
    try {
      return await this.#send<Row>(await (this.#connection ?? this.#connect()), one, values);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #send<Row>(
    { exchange, isNamed }: OpenConnection,
    one: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const name = isNamed ? { name: one.name } : {};
    exchange.sent();
    try {
      const result = await exchange.client.query({ ...name, text: one.text, values: [...values] });
      return result.rows as Row[];
    } catch (error) {
      if (isReadOnly(error)) exchange.drop(error as Error);
      throw error;
    } finally {
      exchange.answered();
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.exchange.client.end();
  }

  #connect(): Promise<OpenConnection> {
    const client = new pg.Client({
      ...this.#options,
      pipeline: true,
      application_name: 'keywright pipelined',
    });
    const connection = this.#open(client);
    this.#connection = connection;
    // A late event of an earlier connection must not drop the current one.
    const forget = () => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    connection.then(
      () => (this.#connectAt = 0),
      (error: unknown) => {
        forget();
        if (isOutOfConnections(error)) this.#connectAt = performance.now() + CONNECT_AGAIN_MS;
      },
    );
    return connection;
  }

  async #open(client: pg.Client): Promise<OpenConnection> {
    await client.connect();
    const exchange = this.#deadlines.watch(client);
    try {
      const { isPooled } = await greet(exchange, this.#deadlines);
      return { exchange, isNamed: !isPooled };
    } catch (error) {
      exchange.drop(error as Error);
      throw error;
    }
  }
}
