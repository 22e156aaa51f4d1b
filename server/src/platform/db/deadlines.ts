import type pg from 'pg';

/** How often within the limit answers are looked for: one that is missing is noticed a quarter of it late at most. */
const LOOKS_PER_LIMIT = 4;

/** The server has not answered: its machine or the network is gone, without anything that said so. */
class AnswerOverdue extends Error {
  /** As the operating system calls the same. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`PostgreSQL has not answered within ${limitMs} ms; the connection was closed`);
    this.name = 'AnswerOverdue';
  }
}

/** One connection, and since when an answer is due on it. */
export class Exchange {
  readonly client: pg.Client;
  /** Whether it proves every second that the server can be reached. */
  readonly isHeartbeat: boolean;
  /** Whether somebody has it for more than one statement, such as a transaction, and will find out alone. */
  isHeld = false;
  /** Statements that are not answered yet. */
  underWay = 0;
  /** The look after which the oldest of them was sent, or the last answer came. */
  since = 0;
  /** How many times the limit an answer may take. */
  patience = 1;
  readonly #deadlines: Deadlines;

  constructor(deadlines: Deadlines, client: pg.Client, isHeartbeat: boolean) {
    this.#deadlines = deadlines;
    this.client = client;
    this.isHeartbeat = isHeartbeat;
  }

  sent(): void {
    if (this.underWay === 0) this.since = this.#deadlines.looks;
    this.underWay += 1;
  }

  answered(): void {
    this.underWay -= 1;
    this.since = this.#deadlines.looks;
  }

  /** Closes the connection from this side, whether or not the other one learns of it. */
  drop(why: Error): void {
    this.client.connection.stream.destroy(why);
  }
}

/**
 * Drops connections on which an answer is overdue. A server that is cut off without a word (power loss, partition, an
 * address that moved) leaves connections that look alive; TCP gives up on them after a quarter of an hour, and a limit
 * that the server keeps, such as statement_timeout, cannot be told to this side.
 *
 * Time is counted in looks, not by the clock: a process that was stopped for a while finds the answers that have come
 * meanwhile before it takes them for missing.
 */
export class Deadlines {
  readonly limitMs: number;
  looks = 0;
  readonly #open = new Set<Exchange>();
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
    this.#timer = setInterval(() => this.#look(), limitMs / LOOKS_PER_LIMIT);
    this.#timer.unref();
  }

  /** Until the connection ends. */
  watch(client: pg.Client, isHeartbeat = false): Exchange {
    const exchange = new Exchange(this, client, isHeartbeat);
    this.#open.add(exchange);
    client.once('end', () => this.#open.delete(exchange));
    return exchange;
  }

  /** Every connection is to end now: one that has not done so within the limit is dropped. */
  endAll(): void {
    for (const exchange of this.#open) exchange.sent();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.looks += 1;
    const overdue = [...this.#open].filter((one) => this.#isOverdue(one, one.patience));
    if (overdue.length === 0) return;
    for (const exchange of this.#lostWith(overdue)) exchange.drop(new AnswerOverdue(this.limitMs));
  }

  /**
   * What goes with those that are overdue. Idle connections are probably cut off too, and would be found so one after
   * the other, each at the cost of a request. Where even the heartbeat is not answered, what may take longer need not
   * be waited for.
   */
  #lostWith(overdue: readonly Exchange[]): Exchange[] {
    const isSilent = overdue.some((one) => one.isHeartbeat);
    return [...this.#open].filter(
      (one) =>
        overdue.includes(one) ||
        (one.underWay === 0 && !one.isHeld && !one.isHeartbeat) ||
        (isSilent && this.#isOverdue(one, 1)),
    );
  }

  #isOverdue({ underWay, since }: Exchange, patience: number): boolean {
    return underWay > 0 && this.looks - since > patience * LOOKS_PER_LIMIT;
  }
}
