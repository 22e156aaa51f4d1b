import type { Log } from '../../../platform/log.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import { notePromotion } from '../installation/index.ts';
import { deleteNode, hasRenewal, type Node, renewNode } from './store.ts';

/** Whether this node is listed as running. */
export interface Presence {
  /** Lists it. */
  start(): void;
  /** Renews its lease, once it is listed. */
  renew(): Promise<void>;
  /** No longer lists it. */
  stop(): Promise<void>;
}

/** @param isEmbedded whether there is no server that could be replaced by a standby */
export function createPresence(
  system: SystemData,
  node: () => Node,
  log: Log,
  isEmbedded: boolean,
): Presence {
  let own: Node | undefined;
  let renewedAt: Date | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  function write(task: string, work: Parameters<typeof system.maintain<void>>[1]): Promise<void> {
    // A node serves whether or not it is listed.
    inFlight = inFlight
      .then(() => system.maintain(task, work))
      .catch((error: unknown) => log.warn({ err: error }, `could not ${task}`));
    return inFlight;
  }

  async function noteReplacement(tx: SystemTx, { id }: Node): Promise<void> {
    if (isEmbedded || !renewedAt) return;
    await notePromotion(tx, log, await hasRenewal(tx, id, renewedAt));
  }

  async function renew(): Promise<void> {
    const listed = own;
    if (!listed) return;
    await write('renew the lease of this node', async (tx) => {
      await noteReplacement(tx, listed);
      await renewNode(tx, listed);
      tx.hooks.afterCommit(() => void (renewedAt = tx.now));
    });
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
      if (!listed) return;
      await write('take this node off the list', async (tx) => {
        await noteReplacement(tx, listed);
        await deleteNode(tx, listed.id);
      });
    },
  };
}
