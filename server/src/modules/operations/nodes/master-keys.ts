import type { SystemTx } from '../../../tenancy/system.ts';
import { listNodes } from './store.ts';

/** Nodes that run, or did until recently, could not unwrap the data keys after a rotation. */
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
 * Requires every listed node to have that master key. Nodes are listed in transactions that lock the installation's
 * record, so a transaction that has locked it for a change overlooks none.
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
