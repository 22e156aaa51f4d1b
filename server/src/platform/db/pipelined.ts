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
/** Pause after a connection was closed so that the pool can open one. */
const MADE_ROOM_MS = 1000;

/**
 * A connection in pipeline mode, which sends statements without waiting for previous results. Connects on first use,
 * and reconnects after a failure.
 */
export class PipelinedConnection {
  readonly #options: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  readonly #onError: (error: Error) => void;
  #connection: Promise<OpenConnection> | undefined;
  /** The connection after its greeting. */
  #open: OpenConnection | undefined;
  /** Time of the next attempt after the server accepted no more connections, from performance.now(). */
  #connectAt = 0;
  /** Statements without a result so far. */
  #inFlight = 0;
  #isLeaving = false;
  /** The ends of all connections that were closed to make room. */
  #closed: Promise<void> | undefined;

  constructor(options: pg.ClientConfig, deadlines: Deadlines, onError: (error: Error) => void) {
    this.#options = options;
    this.#deadlines = deadlines;
    this.#onError = onError;
  }

  /**
   * Number of statements without a result so far; Infinity while the connection closes, or the server accepts no more.
   */
  get load(): number {
    if (this.#isLeaving) return Number.POSITIVE_INFINITY;
    if (this.#connectAt === 0 || performance.now() > this.#connectAt) return this.#inFlight;
    return Number.POSITIVE_INFINITY;
  }

  async run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#inFlight += 1;
    try {
      return await this.#send<Row>(await (this.#connection ?? this.#connect()), statement, values);
    } finally {
      this.#inFlight -= 1;
      if (this.#isLeaving && this.#inFlight === 0) this.#closeForRoom();
    }
  }

  async #send<Row>(
    { exchange, isNamed }: OpenConnection,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const name = isNamed ? { name: statement.name } : {};
    exchange.started();
    try {
      const result = await exchange.client.query({
        ...name,
        text: statement.text,
        values: [...values],
      });
      return result.rows as Row[];
    } catch (error) {
      if (isReadOnly(error)) exchange.drop(error as Error);
      throw error;
    } finally {
      exchange.answered();
    }
  }

  /** Whether the connection closes after its last statement. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * Accepts no more statements, and closes the connection after the last one, so that the server accepts one for
   * transactions. Statements then use that one. @returns whether there was a connection to close
   */
  leave(): boolean {
    if (!this.#open) return false;
    this.#isLeaving = true;
    if (this.#inFlight === 0) this.#closeForRoom();
    return true;
  }

  #closeForRoom(): void {
    const client = this.#open?.exchange.client;
    this.#isLeaving = false;
    this.#open = undefined;
    this.#connection = undefined;
    this.#connectAt = performance.now() + MADE_ROOM_MS;
    const closed = this.#closed;
    const end = client?.end().catch(this.#onError);
    this.#closed = Promise.all([closed, end]).then(() => undefined);
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await Promise.all([this.#closed, connection?.exchange.client.end()]);
  }

  #connect(): Promise<OpenConnection> {
    const client = new pg.Client({
      ...this.#options,
      pipeline: true,
      application_name: 'keywright pipelined',
    });
    const connection = this.#greet(client);
    this.#connection = connection;
    // A late event of an earlier connection must not drop the current one.
    const forget = () => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      this.#open = undefined;
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    connection.then(
      (open) => {
        this.#connectAt = 0;
        if (this.#connection === connection) this.#open = open;
      },
      (error: unknown) => {
        forget();
        if (isOutOfConnections(error)) this.#connectAt = performance.now() + CONNECT_AGAIN_MS;
      },
    );
    return connection;
  }

  async #greet(client: pg.Client): Promise<OpenConnection> {
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

/**
 * Returns the first connection with the fewest pending statements. Not round-robin: every server process has its own
 * plan and catalog caches, and those of the last-used connection are in the CPU caches.
 */
export function leastBusy(connections: readonly PipelinedConnection[]): PipelinedConnection {
  return connections.reduce((least, connection) =>
    connection.load < least.load ? connection : least,
  );
}

/** Closes one of the connections so that the server accepts one for transactions. */
export function makeRoom(connections: readonly PipelinedConnection[]): void {
  if (connections.some(({ isLeaving }) => isLeaving)) return;
  connections.findLast((connection) => connection.leave());
}
