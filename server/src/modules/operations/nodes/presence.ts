import type { Log } from '../../../platform/log.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import { notePromotion, shareMasterKeyId } from '../installation/index.ts';
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

const MASTER_KEY_ROTATED =
  'the master key was rotated to one that this node does not have, so requests to tenants fail: ' +
  'restart it with KEYWRIGHT_MASTER_KEY set to that key';

function warnWithoutKey(log: Log, { master_key_ids: held }: Node, current: string | undefined) {
  if (current === undefined || held.includes(current)) return;
  log.error({ masterKeyId: current }, MASTER_KEY_ROTATED);
}

/**
 * @param renewedAt time of the last renewal; undefined before the first one, and for an embedded database
 * @returns false if the database was replaced by one that lacks changes
 */
async function isSamePlace(tx: SystemTx, log: Log, { id }: Node, renewedAt: Date | undefined) {
  return !renewedAt || notePromotion(tx, log, await hasRenewal(tx, id, renewedAt));
}

/** @param isEmbedded whether the database is embedded, so that no standby can replace it */
export function createPresence(
  system: SystemData,
  node: () => Node,
  log: Log,
  isEmbedded: boolean,
): Presence {
  let own: Node | undefined;
  let renewedAt: Date | undefined;
  /** A lease in a database that lacks changes would make it look like one whose standby was promoted. */
  let isReplaced = false;
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
    if (!listed || isReplaced) return;
    await write('renew the lease of this node', async (tx) => {
      const masterKeyId = await shareMasterKeyId(tx);
      isReplaced = !(await isSamePlace(tx, log, listed, renewedAt));
      if (isReplaced) return;
      await renewNode(tx, listed);
      if (!isEmbedded) tx.hooks.afterCommit(() => void (renewedAt = tx.now));
      warnWithoutKey(log, listed, masterKeyId);
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
        if (!isReplaced) await isSamePlace(tx, log, listed, renewedAt);
        await deleteNode(tx, listed.id);
      });
    },
  };
}
