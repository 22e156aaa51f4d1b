import pg from 'pg';
import type { Deadlines } from './deadlines.ts';
import { greet } from './greeting.ts';

/** Maximum time that a process uses a former primary after a failover without fencing. */
const EVERY_MS = 30_000;

/**
 * Connects periodically to check which server the database address leads to. Existing connections never move to
 * another server, so without this probe a process connected only to a former primary would not detect the failover.
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
