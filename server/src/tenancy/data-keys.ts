import { randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { LRUCache } from 'lru-cache';
import { keyFingerprint, seal, unseal } from '../platform/crypto/sealed.ts';
import type { Gate } from './gate.ts';
import { findWrappedDataKey } from './store.ts';

const MAX_KEYS = 10_000;

/** The master key that wraps every tenant's data key. It never reaches the database. */
export interface MasterKey {
  /** A name for the key that tells nothing about it. */
  readonly id: string;
  wrap(tenantId: TenantId, dataKey: Buffer): Buffer;
  unwrap(tenantId: TenantId, wrapped: Buffer): Buffer;
}

export function createMasterKey(key: Buffer): MasterKey {
  const place = (tenantId: TenantId) => `tenant_data_keys/${tenantId}/wrapped_key`;
  return {
    id: keyFingerprint(key),
    wrap: (tenantId, dataKey) => seal(key, dataKey, place(tenantId)),
    unwrap: (tenantId, wrapped) => unseal(key, wrapped, place(tenantId)),
  };
}

export function newDataKey(): Buffer {
  return randomBytes(32);
}

/** Hands out the data keys of tenants, unwrapped once and kept in memory. */
export interface DataKeys {
  /** @throws when the tenant has none: it was deleted. */
  get(tenantId: TenantId): Promise<Buffer>;
}

export function createDataKeys(gate: Gate, masterKey: MasterKey): DataKeys {
  const unwrapped = new LRUCache<TenantId, Buffer>({ max: MAX_KEYS });
  return {
    async get(tenantId) {
      const known = unwrapped.get(tenantId);
      if (known) return known;
      const wrapped = await gate.into(tenantId).transaction(findWrappedDataKey);
      if (!wrapped) throw new Error(`The tenant ${tenantId} has no data key.`);
      const key = masterKey.unwrap(tenantId, wrapped);
      unwrapped.set(tenantId, key);
      return key;
    },
  };
}
