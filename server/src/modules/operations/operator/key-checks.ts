import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { SystemTx } from '../../../tenancy/system.ts';
import {
  countDataKeys,
  findMasterKeyId,
  openDataKey,
  sampleDataKeys,
} from '../installation/index.ts';
import { type DatabaseCheck, type Finding, count, fine, someOf, wrong } from './check.ts';
import type { Operator } from './operator.ts';
import { countTenants, listTenantsWithoutDataKey, listTenantsWithoutSigner } from './store.ts';

/** Above this number of tenants, only a random sample of this many data keys is decrypted. */
const MOST_OPENED = 1000;

async function lookAtMasterKey({ system, masterKeys }: Operator): Promise<Finding> {
  return system.maintain('look at the master key', async (tx) => {
    const installed = await findMasterKeyId(tx);
    if (installed === undefined) {
      return wrong(
        'there is none yet: no service has started on this database',
        'Run "keywright serve", or "keywright admin create" before it.',
      );
    }
    const keys = masterKeys();
    return (
      findMissingKey(keys, installed) ??
      (await findClosedDataKeys(tx, keys)) ??
      (await lookAtRotation(tx, keys, installed))
    );
  });
}

function findMissingKey(keys: MasterKeys, installed: string): Finding | undefined {
  if (keys.ids.includes(installed)) return undefined;
  return wrong(
    `KEYWRIGHT_MASTER_KEY is not the master key of this database, which is ${installed}`,
    'Set it to the key that the database was created with, or last rotated to.',
  );
}

async function findClosedDataKeys(tx: SystemTx, keys: MasterKeys): Promise<Finding | undefined> {
  const without = await listTenantsWithoutDataKey(tx);
  if (without.length > 0) {
    return wrong(
      `these tenants have no data key: ${someOf(without)}`,
      'Restore their rows of tenant_data_keys from a backup.',
    );
  }
  const drawn = await sampleDataKeys(tx, MOST_OPENED);
  const closed = drawn.filter((kept) => !openDataKey(keys, kept)).map((kept) => kept.tenant_id);
  if (closed.length === 0) return undefined;
  return wrong(
    `${count(closed.length, 'data key')} cannot be opened: ${someOf(closed)}`,
    'Set KEYWRIGHT_MASTER_KEY_PREVIOUS to the master key before this one, or restore the rows from a backup.',
  );
}

async function lookAtRotation(tx: SystemTx, keys: MasterKeys, installed: string): Promise<Finding> {
  const counts = await countDataKeys(tx);
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const others = all - (counts.get(installed) ?? 0);
  if (others > 0) {
    return wrong(
      `a rotation was interrupted: ${count(others, 'data key')} of ${all} are under another master key`,
      'Run "keywright master-key rotate" again, with the same two keys.',
    );
  }
  if (keys.ids[0] !== installed) {
    return wrong(
      'the key of KEYWRIGHT_MASTER_KEY is not in use yet, that of KEYWRIGHT_MASTER_KEY_PREVIOUS is',
      'When every node knows both keys, run "keywright master-key rotate".',
    );
  }
  const opened = all > MOST_OPENED ? `${MOST_OPENED} of ${all} data keys, drawn by lot` : all;
  const done = keys.ids.length > 1 ? '; KEYWRIGHT_MASTER_KEY_PREVIOUS is needed no longer' : '';
  return fine(`opens ${typeof opened === 'number' ? count(opened, 'data key') : opened}${done}`);
}

async function lookAtSigningKeys({ system, clock }: Operator): Promise<Finding> {
  const [without, all] = await system.maintain(
    'look for tenants without a signing key',
    async (tx) =>
      [await listTenantsWithoutSigner(tx, clock.now()), await countTenants(tx)] as const,
  );
  if (without.length === 0) return fine(`${count(all, 'tenant')}, each with a key that signs`);
  return wrong(
    `no key signs for ${someOf(without)}`,
    'Run "keywright key rotate --tenant <id> --immediately" for each.',
  );
}

export const KEY_CHECKS: readonly DatabaseCheck[] = [
  { name: 'master key', look: lookAtMasterKey },
  { name: 'signing keys', look: lookAtSigningKeys },
];
