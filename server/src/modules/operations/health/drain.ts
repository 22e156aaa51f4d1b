import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../../platform/log.ts';

/** While load balancers notice that readiness fails, the node still answers everything else. */
const NOTICE_MS = 2000;
/** Requests that take longer than this are aborted. */
const LONGEST_MS = 10_000;

/** The graceful shutdown, and whether it has begun. */
interface Drain {
  readonly isDraining: boolean;
  /**
   * Fails readiness, waits for load balancers, ends streams, stops accepting, and waits for requests in flight.
   * @param notice false: does not wait for load balancers, such as in a test
   */
  run(notice: boolean, endStreams: () => Promise<void>): Promise<void>;
}

export function createDrain(server: FastifyInstance, log: Log): Drain {
  let isDraining = false;
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  return {
    get isDraining() {
      return isDraining;
    },
    async run(notice, endStreams) {
      if (isDraining) return;
      isDraining = true;
      log.info('draining');
      if (notice) await wait(NOTICE_MS);
      // Not earlier: clients that reconnect immediately must reach another node.
      await endStreams();
      const cutOff = setTimeout(() => server.server.closeAllConnections(), LONGEST_MS);
      await server.close();
      clearTimeout(cutOff);
    },
  };
}
