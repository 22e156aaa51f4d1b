import type { Log } from '../../../platform/log.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { deleteNode, type Node, renewNode } from './store.ts';

/** Whether this node is listed as running. */
export interface Presence {
  /** Lists it. */
  start(): void;
  /** Renews its lease, once it is listed. */
  renew(): Promise<void>;
  /** No longer lists it. */
  stop(): Promise<void>;
}

export function createPresence(system: SystemData, node: () => Node, log: Log): Presence {
  let own: Node | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  function write(task: string, work: Parameters<typeof system.maintain<void>>[1]): Promise<void> {
    // A node serves whether or not it is listed.
    inFlight = inFlight
      .then(() => system.maintain(task, work))
      .catch((error: unknown) => log.warn({ err: error }, `could not ${task}`));
    return inFlight;
  }

  async function renew(): Promise<void> {
    const listed = own;
    if (listed) await write('renew the lease of this node', (tx) => renewNode(tx, listed));
  }

  return {
    start() {
      own = node();
      void renew();
    },
    renew,
    async stop() {
      const listed = own;
      own = undefined;
      if (listed) await write('take this node off the list', (tx) => deleteNode(tx, listed.id));
    },
  };
}
