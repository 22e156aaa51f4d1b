import type { Log } from '../../../platform/log.ts';
import type { SystemData, SystemTx } from '../../../tenancy/gate.ts';
import { notePromotion, shareMasterKeyId } from '../installation/index.ts';
import { deleteNode, hasRenewal, type Node, renewNode, listNodes } from './node-store.ts';

const MASTER_KEY_ROTATED =
  'the master key was rotated to one that this node does not have, so requests to tenants fail: ' +
  'restart it with KEYWRIGHT_MASTER_KEY set to that key';

function warnWithoutKey(log: Log, { master_key_ids: ids }: Node, current: string | undefined) {
  if (current === undefined || ids.includes(current)) return;
  log.error({ masterKeyId: current }, MASTER_KEY_ROTATED);
}

/**
 * @param renewedAt time of the last renewal; undefined before the first renewal, and for an embedded database
 * @returns false if the database was replaced by one that lacks changes
 */
async function isSamePlace(tx: SystemTx, log: Log, { id }: Node, renewedAt: Date | undefined) {
  return !renewedAt || notePromotion(tx, log, await hasRenewal(tx, id, renewedAt));
}

/** Lists this node as running for the duration of its lease. */
export class Presence {
  readonly #system: SystemData;
  readonly #log: Log;
  readonly #describeNode: () => Node;
  readonly #isEmbedded: boolean;
  #listed: Node | undefined;
  #renewedAt: Date | undefined;
  /** Stops renewals: a lease in a database that lacks changes would make it look like a promoted standby. */
  #isReplaced = false;
  #inFlight: Promise<void> = Promise.resolve();

  /** @param isEmbedded whether the database is embedded, so that no standby can replace it */
  constructor(system: SystemData, log: Log, describeNode: () => Node, isEmbedded: boolean) {
    this.#system = system;
    this.#log = log;
    this.#describeNode = describeNode;
    this.#isEmbedded = isEmbedded;
  }

  start(): void {
    this.#listed = this.#describeNode();
    void this.renew();
  }

  /** Renews the lease if the node is listed. */
  async renew(): Promise<void> {
    const listed = this.#listed;
    if (!listed || this.#isReplaced) return;
    await this.#write('renew the lease of this node', async (tx) => {
      const masterKeyId = await shareMasterKeyId(tx);
      this.#isReplaced = !(await isSamePlace(tx, this.#log, listed, this.#renewedAt));
      if (this.#isReplaced) return;
      await renewNode(tx, listed);
      if (!this.#isEmbedded) tx.hooks.afterCommit(() => void (this.#renewedAt = tx.now));
      warnWithoutKey(this.#log, listed, masterKeyId);
    });
  }

  /** Removes the node from the list. */
  async stop(): Promise<void> {
    const listed = this.#listed;
    this.#listed = undefined;
    if (!listed) return;
    await this.#write('take this node off the list', async (tx) => {
      if (!this.#isReplaced) await isSamePlace(tx, this.#log, listed, this.#renewedAt);
      await deleteNode(tx, listed.id);
    });
  }

  #write(task: string, work: (tx: SystemTx) => Promise<void>): Promise<void> {
    // A node serves requests whether or not it is listed.
    this.#inFlight = this.#inFlight
      .then(() => this.#system.maintain(task, work))
      .catch((error: unknown) => this.#log.warn({ err: error }, `could not ${task}`));
    return this.#inFlight;
  }
}

/** Nodes that run, or ran until recently, could not unwrap the data keys after a rotation. */
class NodesWithoutMasterKey extends Error {
  constructor(masterKeyId: string, nodes: readonly string[]) {
    super(
      `The master key ${masterKeyId} is not on every node: ${nodes.join(', ')}. Restart them with KEYWRIGHT_MASTER_KEY set ` +
        'to it and KEYWRIGHT_MASTER_KEY_PREVIOUS to the key in use. Nothing was changed. A node that was killed, ' +
        'for example by SIGKILL, remains listed for up to eleven minutes: wait, or pass --ignore-nodes if none of these ' +
        'nodes is running.',
    );
    this.name = 'NodesWithoutMasterKey';
  }
}

/**
 * Requires every listed node to have this master key. Nodes are listed in transactions that lock the installation's
 * record, so a transaction that has locked it for a change sees every listed node.
 * @throws NodesWithoutMasterKey
 */
export async function requireMasterKeyOnNodes(tx: SystemTx, masterKeyId: string): Promise<void> {
  const without = (await listNodes(tx)).filter(
    (node) => !node.master_key_ids.includes(masterKeyId),
  );
  if (without.length === 0) return;
  const described = without.map(
    ({ id, host, seen_at: seenAt }) => `${host} (node ${id}, last seen ${seenAt.toISOString()})`,
  );
  throw new NodesWithoutMasterKey(masterKeyId, described);
}
