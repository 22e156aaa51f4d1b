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
      `The master key ${id} is in use, but is not set as KEYWRIGHT_MASTER_KEY or ` +
        'KEYWRIGHT_MASTER_KEY_PREVIOUS: set the first to the new key and the second to the previous one.',
    );
    this.name = 'MasterKeyNotAtHand';
  }
}

/** The master keys, which wrap the tenants' data keys. They are never stored in the database. */
export class MasterKeys {
  readonly #keys: readonly Buffer[];
  readonly #byId: ReadonlyMap<string, Buffer>;
  /** IDs of the available keys; the ID of KEYWRIGHT_MASTER_KEY is first. They reveal nothing about the keys. */
  readonly ids: readonly string[];

  constructor(keys: readonly Buffer[]) {
    this.#keys = keys;
    this.#byId = new Map(keys.map((key) => [keyFingerprint(key), key]));
    this.ids = [...this.#byId.keys()];
  }

  /** @throws MasterKeyNotAtHand when that key is not available */
  wrap(tenantId: TenantId, dataKey: Buffer, masterKeyId: string): WrappedKey {
    const wrapped = seal(this.#get(masterKeyId), dataKey, placeOf(tenantId));
    return { wrapped_key: wrapped, master_key_id: masterKeyId };
  }

  /** @throws Error when the key that wrapped it is not available, or the data was modified */
  unwrap(tenantId: TenantId, { wrapped_key: wrapped, master_key_id: id }: WrappedKey): Buffer {
    return unseal(this.#get(id), wrapped, placeOf(tenantId));
  }

  /** Derives a key for this purpose only from each master key, in their order (RFC 5869). */
  derive(purpose: string): readonly Buffer[] {
    return this.#keys.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', `keywright ${purpose}`, 32)),
    );
  }

  #get(id: string): Buffer {
    const key = this.#byId.get(id);
    if (!key) throw new MasterKeyNotAtHand(id);
    return key;
  }
}

function placeOf(tenantId: TenantId): string {
  return `tenant_data_keys/${tenantId}/wrapped_key`;
}

export function newDataKey(): Buffer {
  return randomBytes(32);
}

/** Provides the data keys of tenants. Keys are wiped after each use, so a destroyed key is gone. */
export class DataKeys {
  readonly #gate: Gate;
  readonly #masterKeys: MasterKeys;

  constructor(gate: Gate, masterKeys: MasterKeys) {
    this.#gate = gate;
    this.#masterKeys = masterKeys;
  }

  /**
   * Runs the work with the tenant's key, which is wiped afterward. @throws DataKeyGone when the tenant has no data
   * key
   */
  async use<Result>(
    tenantId: TenantId,
    work: (key: Buffer) => Promise<Result> | Result,
  ): Promise<Result> {
    const wrapped = await findWrappedDataKey(this.#gate.into(tenantId));
    if (!wrapped) throw new DataKeyGone(tenantId);
    const key = this.#masterKeys.unwrap(tenantId, wrapped);
    try {
      return await work(key);
    } finally {
      key.fill(0);
    }
  }
}
