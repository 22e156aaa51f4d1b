import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../../platform/log.ts';

/** How long load balancers have to notice that readiness fails, while the node still serves all other requests. */
const NOTICE_MS = 2000;
/** Requests that take longer than this are aborted. */
const LONGEST_MS = 10_000;

/** The graceful shutdown. */
export class Drain {
  readonly #server: FastifyInstance;
  readonly #log: Log;
  #isDraining = false;

  constructor(server: FastifyInstance, log: Log) {
    this.#server = server;
    this.#log = log;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Fails readiness, waits for load balancers, ends streams, stops accepting connections, and waits for requests in
   * flight.
   * @param notice false: does not wait for load balancers, such as in a test
   */
  async run(notice: boolean, endStreams: () => Promise<void>): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#server.closeAfterRequests();
    this.#log.info('draining');
    if (notice) await wait(NOTICE_MS);
    // Not earlier, because clients that reconnect immediately must reach another node.
    await endStreams();
    const cutOff = setTimeout(() => this.#server.server.closeAllConnections(), LONGEST_MS);
    await this.#server.close();
    clearTimeout(cutOff);
  }
}
