import type { TenantId } from '@keywright/contract/ids';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../../events/journal/index.ts';
import { createSigningKey, type KeyPair, newKeyPair } from './create.ts';
import { keyStates } from './rules.ts';
import { listSigningKeys, lockSigningKeys } from './store.ts';

const WHO = { kind: 'system', name: 'signing keys' } as const;

/** Makes sure that the tenant has a key of this algorithm that signs. */
export type EnsureKey = (tenantId: TenantId, algorithm: OpensslAlgorithm) => Promise<void>;

/** Requests of this node wait for one key; of those that several nodes made, one is stored. */
export function createEnsureKey(gate: Gate, dataKeys: DataKeys): EnsureKey {
  const underWay = new Map<string, Promise<void>>();

  async function make(tenantId: TenantId, algorithm: OpensslAlgorithm): Promise<void> {
    const pair = await newKeyPair(algorithm);
    await dataKeys.use(tenantId, (dataKey) =>
      gate.into(tenantId).transaction((tx) => insertFirst(tx, dataKey, pair)),
    );
  }

  return (tenantId, algorithm) => {
    const name = `${algorithm} ${tenantId}`;
    const pending =
      underWay.get(name) ?? make(tenantId, algorithm).finally(() => underWay.delete(name));
    underWay.set(name, pending);
    return pending;
  };
}

async function insertFirst(tx: TenantTx, dataKey: Buffer, pair: KeyPair): Promise<void> {
  const { algorithm } = pair;
  await lockSigningKeys(tx);
  const keys = await listSigningKeys(tx);
  const states = keyStates(keys, tx.now);
  const signs = keys.some((key) => key.algorithm === algorithm && states.get(key.id) === 'current');
  // This node has to read what another one has stored.
  tx.changed();
  if (signs) return;
  // By a clock that is a little slow it signs, too: otherwise that node would make another one.
  const signsFrom = new Date(tx.now.getTime() - CLOCK_SKEW_SECONDS * 1000);
  const { id } = await createSigningKey(tx, dataKey, pair, tx.now, signsFrom);
  await record(tx, WHO, {
    action: 'key.rotated',
    target: { kind: 'signing_key', id },
    details: { immediately: true, algorithm },
    events: [
      {
        type: 'key.rotated',
        data: { key_id: id, algorithm, signs_from: signsFrom.toISOString() },
      },
    ],
  });
}
