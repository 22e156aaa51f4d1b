import type { SystemActor } from '../../../tenancy/caller.ts';
import { MasterKeyNotAtHand, type MasterKeys } from '../../../tenancy/data-keys.ts';
import type { SystemData, SystemTx } from '../../../tenancy/gate.ts';
import {
  type StoredDataKey,
  countDataKeys,
  lockDataKeysOfOthers,
  lockMasterKeyId,
  replaceDataKeys,
  writeMasterKeyId,
} from './installation-store.ts';

/** Number of data keys rewrapped in one transaction. */
const BATCH = 100;

/** Data keys that their master key cannot unwrap, because they were altered or moved to another tenant. */
class DataKeysBroken extends Error {
  constructor(tenantIds: readonly string[]) {
    super(
      `Every other data key is under the new master key, but those of these tenants do not open ` +
        `under any: ${tenantIds.join(', ')}. Restore their rows of tenant_data_keys from a backup.`,
    );
    this.name = 'DataKeysBroken';
  }
}

/** An unavailable master key still wraps data keys, so requests to their tenants would fail. */
class RotationUnfinished extends Error {
  constructor(id: string, left: number) {
    super(
      `The last rotation of the master key was interrupted: ${left === 1 ? '1 data key is' : `${left} data keys are`} ` +
        `still under the previous master key, ${id}. Set KEYWRIGHT_MASTER_KEY_PREVIOUS to that key, and run ` +
        '"keywright master-key rotate" again.',
    );
    this.name = 'RotationUnfinished';
  }
}

export interface MasterKeyRotation {
  /** IDs of master keys; equal if the master key was already switched. */
  readonly from: string;
  readonly to: string;
  /** Number of rewrapped data keys. */
  readonly rewrapped: number;
}

/**
 * Makes KEYWRIGHT_MASTER_KEY the master key of the installation, then rewraps every data key in batches, while nodes
 * that have both keys serve requests. After a crash, running it again resumes.
 * @param requireNodes called in the transaction before it switches the key; rejects if a node lacks the new key
 * @throws MasterKeyNotAtHand before any change
 * @throws DataKeysBroken after rewrapping all other data keys
 */
export async function rotateMasterKey(
  system: SystemData,
  masterKeys: MasterKeys,
  by: SystemActor,
  requireNodes: (tx: SystemTx, to: string) => Promise<void> = () => Promise.resolve(),
): Promise<MasterKeyRotation> {
  const [to] = masterKeys.ids;
  if (to === undefined) throw new Error('There is no master key.');
  const from = await system.run(by, `make ${to} the master key`, (tx) =>
    switchMasterKey(tx, masterKeys, to, requireNodes),
  );
  const broken: string[] = [];
  let rewrapped = 0;
  let last = '';
  for (;;) {
    const batch = await system.maintain(`wrap data keys under ${to}`, (tx) =>
      rewrapBatch(tx, masterKeys, to, last),
    );
    if (!batch) break;
    ({ last } = batch);
    rewrapped += batch.rewrapped;
    broken.push(...batch.broken);
  }
  if (broken.length > 0) throw new DataKeysBroken(broken);
  return { from, to, rewrapped };
}

/**
 * Switches the master key. Tenants created after the commit use the new key. Those under the old key are all
 * committed by then, since creating a tenant locks the row changed here.
 * @returns the previous key
 */
async function switchMasterKey(
  tx: SystemTx,
  masterKeys: MasterKeys,
  to: string,
  requireNodes: (tx: SystemTx, to: string) => Promise<void>,
): Promise<string> {
  const from = await lockMasterKeyId(tx);
  if (from === undefined)
    throw new Error('There is nothing to rotate: no service has started yet.');
  const needed = [from, ...(await countDataKeys(tx)).keys()];
  const missing = needed.find((id) => !masterKeys.ids.includes(id));
  if (missing !== undefined) throw new MasterKeyNotAtHand(missing);
  await requireNodes(tx, to);
  if (from !== to) await writeMasterKeyId(tx, to);
  return from;
}

interface Batch {
  /** The last tenant of the previous batch. */
  readonly last: string;
  readonly rewrapped: number;
  readonly broken: readonly string[];
}

/** @returns undefined if no data key is left to rewrap */
async function rewrapBatch(
  tx: SystemTx,
  masterKeys: MasterKeys,
  to: string,
  after: string,
): Promise<Batch | undefined> {
  const found = await lockDataKeysOfOthers(tx, to, after, BATCH);
  const last = found.at(-1)?.tenant_id;
  if (last === undefined) return undefined;
  const broken: string[] = [];
  const rewrapped = found.flatMap((stored): StoredDataKey[] => {
    const { tenant_id: id } = stored;
    const dataKey = openDataKey(masterKeys, stored);
    if (dataKey === undefined) {
      broken.push(id);
      return [];
    }
    const wrapped = masterKeys.wrap(id, dataKey, to);
    dataKey.fill(0);
    return [{ tenant_id: id, ...wrapped }];
  });
  await replaceDataKeys(tx, rewrapped);
  return { last, rewrapped: rewrapped.length, broken };
}

/** @throws RotationUnfinished unless every data key's master key is available */
export async function requireDataKeysAtHand(tx: SystemTx, masterKeys: MasterKeys): Promise<void> {
  for (const [id, count] of await countDataKeys(tx)) {
    if (!masterKeys.ids.includes(id)) throw new RotationUnfinished(id, count);
  }
}

/** Returns the unwrapped data key; undefined if it cannot be decrypted. */
export function openDataKey(masterKeys: MasterKeys, stored: StoredDataKey): Buffer | undefined {
  try {
    return masterKeys.unwrap(stored.tenant_id, stored);
  } catch {
    return undefined;
  }
}
