import type pg from 'pg';
import type { DatabaseFault } from './database.ts';

/** Checks per timeout: a missing answer is noticed at most a quarter of the timeout late. */
const LOOKS_PER_LIMIT = 4;

/** The server has not answered: the machine or the network is gone, without closing the connection. */
class AnswerOverdue extends Error {
  /** The operating system's error code for this case. */
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`PostgreSQL did not respond within ${limitMs} ms; the connection was closed`);
    this.name = 'AnswerOverdue';
  }
}

/** A server that accepts writes. Its timeline increases with each failover. */
export interface Primary {
  /** The identifier that a primary shares with its standbys. */
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

/** A connection, with the time since when an answer is due. */
export class Exchange {
  readonly client: pg.Client;
  /** Whether this connection checks every second that the server is reachable. */
  readonly isHeartbeat: boolean;
  /** Whether a caller holds it for several statements, such as a transaction, and notices a lost connection itself. */
  isReserved = false;
  /** Number of statements without an answer so far. */
  inFlight = 0;
  /** The check after which the oldest unanswered statement was sent or the last answer was received. */
  since = 0;
  /** How many timeouts an answer may take. */
  patience = 1;
  /** Undefined before the greeting, and if the server does not report it. */
  primary: Primary | undefined;
  readonly #deadlines: Deadlines;

  constructor(deadlines: Deadlines, client: pg.Client, isHeartbeat: boolean) {
    this.#deadlines = deadlines;
    this.client = client;
    this.isHeartbeat = isHeartbeat;
  }

  started(): void {
    if (this.inFlight === 0) this.since = this.#deadlines.looks;
    this.inFlight += 1;
  }

  answered(): void {
    this.inFlight -= 1;
    this.since = this.#deadlines.looks;
  }

  /** Closes the connection on this side, even if the peer does not notice. */
  drop(why: Error): void {
    this.client.connection.stream.destroy(why);
  }
}

/**
 * Drops connections with an overdue answer and connections to a former primary. A server that disappears (power loss,
 * partition, a moved address) leaves connections that look open. TCP gives up on them only after a quarter of an
 * hour, and server-side timeouts, such as statement_timeout, do not help. Time is counted in checks, not by the
 * clock: a process that was suspended reads the answers received meanwhile before it considers them missing.
 */
export class Deadlines {
  readonly limitMs: number;
  looks = 0;
  /** Why the last new connection was rejected; undefined again after one is accepted. */
  fault: DatabaseFault | undefined;
  readonly #open = new Set<Exchange>();
  /** The highest timeline of each system. */
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
   * that the new primary recorded, so a process must not use both: the first connection to the new primary drops all
   * connections to the former one.
   * @throws FormerPrimary
   */
  admit(exchange: Exchange, primary: Primary): void {
    const { system, timeline } = primary;
    const newest = this.#timelines.get(system) ?? timeline;
    if (timeline < newest) throw new FormerPrimary(timeline, newest);
    exchange.primary = primary;
    this.#timelines.set(system, timeline);
    if (timeline === newest) return;
    for (const open of this.#open) {
      if (open.primary?.system !== system || open.primary.timeline === timeline) continue;
      open.drop(new FormerPrimary(open.primary.timeline, timeline));
    }
  }

  /** Expects every connection to close. Connections that are not closed within the timeout are dropped. */
  endAll(): void {
    for (const exchange of this.#open) exchange.started();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.looks += 1;
    const overdue = [...this.#open].filter((exchange) =>
      this.#isOverdue(exchange, exchange.patience),
    );
    if (overdue.length === 0) return;
    for (const exchange of this.#lostWith(overdue)) exchange.drop(new AnswerOverdue(this.limitMs));
  }

  /**
   * Returns the connections to drop together with the overdue ones. Idle connections are probably dead as well, and
   * would otherwise fail one by one, each with a request. If even the heartbeat is not answered, connections with
   * long-running statements are also dropped.
   */
  #lostWith(overdue: readonly Exchange[]): Exchange[] {
    const isSilent = overdue.some((exchange) => exchange.isHeartbeat);
    return [...this.#open].filter(
      (exchange) =>
        overdue.includes(exchange) ||
        (exchange.inFlight === 0 && !exchange.isReserved && !exchange.isHeartbeat) ||
        (isSilent && this.#isOverdue(exchange, 1)),
    );
  }

  #isOverdue({ inFlight, since }: Exchange, patience: number): boolean {
    return inFlight > 0 && this.looks - since > patience * LOOKS_PER_LIMIT;
  }
}
