import pg from 'pg';
import type { Deadlines } from './deadlines.ts';
import { greet } from './greeting.ts';

/** After a failover without fencing, a process uses the former primary for at most this long. */
const EVERY_MS = 30_000;

/**
 * Connects periodically to check which server the database address leads to. Without it, a process whose connections
 * all lead to a former primary would not detect the failover: only a new connection leads elsewhere.
 */
export class PrimaryProbe {
  readonly #connection: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: pg.ClientConfig, deadlines: Deadlines) {
    this.#connection = connection;
    this.#deadlines = deadlines;
  }

  start(everyMs = EVERY_MS): void {
    this.#timer = setInterval(() => void this.#probe(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A failure has no effect: requests and the heartbeat detect an unreachable database. */
  async #probe(): Promise<void> {
    const client = new pg.Client({ ...this.#connection, application_name: 'keywright probe' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await greet(this.#deadlines.watch(client), this.#deadlines);
    } catch {
      // See above.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
