import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../../platform/log.ts';

/** While load balancers learn that this node leaves, it still answers everything else. */
const NOTICE_MS = 2000;
/** Requests that take longer than this are aborted. */
const LONGEST_MS = 10_000;

/** The graceful shutdown, and whether it has begun. */
interface Drain {
  readonly isDraining: boolean;
  /**
   * Fails readiness, gives notice, ends what would never end by itself, stops accepting, waits for requests in flight.
   * @param notice false where nobody has to learn of it, such as in a test
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
