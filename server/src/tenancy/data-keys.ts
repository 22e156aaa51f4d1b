import { hkdfSync, randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { keyFingerprint, seal, unseal } from '../platform/crypto/sealed.ts';
import { DataKeyGone } from './audit-keys.ts';
import type { Gate } from './gate.ts';
import { findWrappedDataKey, type WrappedKey } from './store.ts';

/** A master key that is needed is neither in KEYWRIGHT_MASTER_KEY nor in KEYWRIGHT_MASTER_KEY_PREVIOUS. */
export class MasterKeyNotAtHand extends Error {
  constructor(id: string) {
    super(
      `The master key ${id} is in use, and neither in KEYWRIGHT_MASTER_KEY nor in ` +
        'KEYWRIGHT_MASTER_KEY_PREVIOUS: set the one to the new key and the other to the key before it.',
    );
    this.name = 'MasterKeyNotAtHand';
  }
}

/** The master keys that wrap the tenants' data keys. They never reach the database. */
export interface MasterKeys {
  /** Names of the keys at hand, the one of KEYWRIGHT_MASTER_KEY first. They tell nothing about the keys. */
  readonly ids: readonly string[];
  /** @throws when that key is not at hand */
  wrap(tenantId: TenantId, dataKey: Buffer, masterKeyId: string): WrappedKey;
  /** @throws when the key that wrapped it is not at hand, or a bit was changed */
  unwrap(tenantId: TenantId, wrapped: WrappedKey): Buffer;
  /** A key for this purpose alone from each master key, in their order (RFC 5869). */
  derive(purpose: string): readonly Buffer[];
}

export function createMasterKeys(keys: readonly Buffer[]): MasterKeys {
  const byId = new Map(keys.map((key) => [keyFingerprint(key), key]));
  const place = (tenantId: TenantId) => `tenant_data_keys/${tenantId}/wrapped_key`;
  const get = (id: string) => {
    const key = byId.get(id);
    if (!key) throw new MasterKeyNotAtHand(id);
    return key;
  };
  return {
    ids: [...byId.keys()],
    wrap: (tenantId, dataKey, masterKeyId) => ({
      wrapped_key: seal(get(masterKeyId), dataKey, place(tenantId)),
      master_key_id: masterKeyId,
    }),
    unwrap: (tenantId, { wrapped_key: wrapped, master_key_id: id }) =>
      unseal(get(id), wrapped, place(tenantId)),
    derive: (purpose) =>
      keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `keywright ${purpose}`, 32))),
  };
}

export function newDataKey(): Buffer {
  return randomBytes(32);
}

/** Hands out the data keys of tenants. They are wiped after each use: one that was destroyed is gone. */
export interface DataKeys {
  /** Does work with it, which has it until then. @throws DataKeyGone when the tenant has none */
  use<Result>(tenantId: TenantId, work: (key: Buffer) => Promise<Result> | Result): Promise<Result>;
}

export function createDataKeys(gate: Gate, masterKeys: MasterKeys): DataKeys {
  return {
    async use(tenantId, work) {
      const wrapped = await findWrappedDataKey(gate.into(tenantId));
      if (!wrapped) throw new DataKeyGone(tenantId);
      const key = masterKeys.unwrap(tenantId, wrapped);
      try {
        return await work(key);
      } finally {
        key.fill(0);
      }
    },
  };
}
