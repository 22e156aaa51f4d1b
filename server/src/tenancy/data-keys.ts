import { hkdfSync, randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { keyFingerprint, seal, unseal } from '../platform/crypto/sealed.ts';
import { DataKeyGone } from './audit-keys.ts';
import type { Gate } from './gate.ts';
import { findWrappedDataKey, type WrappedKey } from './store.ts';

/** A required master key is neither in KEYWRIGHT_MASTER_KEY nor in KEYWRIGHT_MASTER_KEY_PREVIOUS. */
export class MasterKeyNotAtHand extends Error {
  constructor(id: string) {
    super(
      `The master key ${id} is in use, but is neither KEYWRIGHT_MASTER_KEY nor ` +
        'KEYWRIGHT_MASTER_KEY_PREVIOUS: set the first to the new key and the second to the previous one.',
    );
    this.name = 'MasterKeyNotAtHand';
  }
}

/** The master keys, which wrap the tenants' data keys. They are never stored in the database. */
export interface MasterKeys {
  /** Ids of the available keys, that of KEYWRIGHT_MASTER_KEY first. They reveal nothing about the keys. */
  readonly ids: readonly string[];
  /** @throws Error when that key is not available */
  wrap(tenantId: TenantId, dataKey: Buffer, masterKeyId: string): WrappedKey;
  /** @throws Error when the key that wrapped it is not available, or the data was modified */
  unwrap(tenantId: TenantId, wrapped: WrappedKey): Buffer;
  /** A key for this purpose only, derived from each master key, in their order (RFC 5869). */
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
