import type pg from 'pg';
import type { DatabaseFault } from './database.ts';

/** Checks per timeout: a missing answer is noticed at most a quarter of the timeout late. */
const LOOKS_PER_LIMIT = 4;

/** The server has not answered: the machine or the network is gone, without closing the connection. */
class AnswerOverdue extends Error {
  /** The error code of the operating system for it. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`PostgreSQL has not answered within ${limitMs} ms; the connection was closed`);
    this.name = 'AnswerOverdue';
  }
}

/** A server that accepts writes. Its timeline increases with each failover. */
export interface Primary {
  /** The identifier that a primary and its standbys share. */
  readonly system: string;
  readonly timeline: number;
}

/** A standby was promoted, but this server, the former primary, still accepts statements. */
export class FormerPrimary extends Error {
  /** sqlserver_rejected_establishment_of_sqlconnection */
  readonly code = '08004';
  readonly newest: number;

  constructor(timeline: number, newest: number) {
    super(
      `the server is a former primary: its timeline is ${timeline}, and this process has used timeline ${newest}`,
    );
    this.name = 'FormerPrimary';
    this.newest = newest;
  }
}

/** A connection, and since when an answer is due on it. */
export class Exchange {
  readonly client: pg.Client;
  /** Whether it checks every second that the server can be reached. */
  readonly isHeartbeat: boolean;
  /** Whether it is held for more than one statement, as by a transaction, whose holder notices by itself. */
  isHeld = false;
  /** Statements that have not been answered yet. */
  inFlight = 0;
  /** The check after which the oldest of them was sent, or the last answer was received. */
  since = 0;
  /** Multiple of the timeout that an answer may take. */
  patience = 1;
  /** Undefined before the greeting, and if the server does not report it. */
  primary: Primary | undefined;
  readonly #deadlines: Deadlines;

  constructor(deadlines: Deadlines, client: pg.Client, isHeartbeat: boolean) {
    this.#deadlines = deadlines;
    this.client = client;
    this.isHeartbeat = isHeartbeat;
  }

  sent(): void {
    if (this.inFlight === 0) this.since = this.#deadlines.looks;
    this.inFlight += 1;
  }

  answered(): void {
    this.inFlight -= 1;
    this.since = this.#deadlines.looks;
  }

  /** Closes the connection on this side, whether or not the peer notices. */
  drop(why: Error): void {
    this.client.connection.stream.destroy(why);
  }
}

/**
 * Drops connections with an overdue answer, and those to a former primary. A server that disappears (power loss,
 * partition, a moved address) leaves connections that look open; TCP gives up on them after a quarter of an hour, and a
 * timeout on the server, such as statement_timeout, does not help here. Time is counted in checks, not by the clock: a
 * process that was suspended finds the answers received meanwhile before it considers them missing.
 */
export class Deadlines {
  readonly limitMs: number;
  looks = 0;
  /** Why the last new connection was refused; undefined after the next one that was accepted. */
  fault: DatabaseFault | undefined;
  readonly #open = new Set<Exchange>();
  /** The highest timeline by system. */
  readonly #timelines = new Map<string, number>();
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

  /**
   * Records which server a connection leads to. After a failover without fencing, the former primary lacks logouts
   * recorded on the new one, so a process must not use both: the first connection to the new primary drops those to the
   * former one.
   * @throws FormerPrimary
   */
  admit(exchange: Exchange, primary: Primary): void {
    const { system, timeline } = primary;
    const newest = this.#timelines.get(system) ?? timeline;
    if (timeline < newest) throw new FormerPrimary(timeline, newest);
    exchange.primary = primary;
    this.#timelines.set(system, timeline);
    if (timeline === newest) return;
    for (const one of this.#open) {
      if (one.primary?.system !== system || one.primary.timeline === timeline) continue;
      one.drop(new FormerPrimary(one.primary.timeline, timeline));
    }
  }

  /** Every connection is closing: one that is not closed within the timeout is dropped. */
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
   * The connections to drop with the overdue ones. Idle ones are probably dead too, and would otherwise fail one after
   * the other, each with a request. If even the heartbeat is not answered, long-running statements are dropped as well.
   */
  #lostWith(overdue: readonly Exchange[]): Exchange[] {
    const isSilent = overdue.some((one) => one.isHeartbeat);
    return [...this.#open].filter(
      (one) =>
        overdue.includes(one) ||
        (one.inFlight === 0 && !one.isHeld && !one.isHeartbeat) ||
        (isSilent && this.#isOverdue(one, 1)),
    );
  }

  #isOverdue({ inFlight, since }: Exchange, patience: number): boolean {
    return inFlight > 0 && this.looks - since > patience * LOOKS_PER_LIMIT;
  }
}
