import { hkdfSync, type KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { takeSecretKey } from '../platform/crypto/sealed.ts';
import type { Database } from '../platform/db/database.ts';
import { findWrappedDataKeyOf, type WrappedKey } from './lookup-store.ts';

/** The key of the MACs of a tenant's audit entries. OpenSSL wipes it once nothing refers to it. */
export type AuditKey = KeyObject;

/** The tenant, or its data key, was deleted: nothing more can be recorded for it. */
export class DataKeyGone extends Error {
  constructor(tenantId: TenantId) {
    super(`The tenant ${tenantId} has no data key.`);
    this.name = 'DataKeyGone';
  }
}

/** Derives the key (RFC 5869) from the data key, which does not change when another master key wraps it. */
export function auditKeyOf(dataKey: Buffer): AuditKey {
  return takeSecretKey(Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright audit entries', 32)));
}

/** @throws Error when the data key cannot be decrypted */
export function openAuditKey(
  masterKeys: Opener,
  tenantId: TenantId,
  wrapped: WrappedKey,
): AuditKey {
  const dataKey = masterKeys.unwrap(tenantId, wrapped);
  try {
    return auditKeyOf(dataKey);
  } finally {
    dataKey.fill(0);
  }
}

/** Provides the audit keys of tenants. */
export interface AuditKeys {
  /** Returns the cached key: a transaction must not wait for another connection. */
  cached(tenantId: TenantId): AuditKey | undefined;
  /** Returns undefined if the tenant has no data key: the tenant is unknown or was deleted. */
  find(tenantId: TenantId): Promise<AuditKey | undefined>;
  /** @throws Error when the data key cannot be decrypted */
  open(tenantId: TenantId, wrapped: WrappedKey): AuditKey;
}

/** Decrypts data keys, as the master keys do. */
interface Opener {
  unwrap(tenantId: TenantId, wrapped: WrappedKey): Buffer;
}

/** Reads each key from the database, for programs that run a single command. */
export class UncachedAuditKeys implements AuditKeys {
  readonly #database: Database;
  readonly #masterKeys: () => Opener;

  constructor(database: Database, masterKeys: () => Opener) {
    this.#database = database;
    this.#masterKeys = masterKeys;
  }

  cached(): undefined {
    return undefined;
  }

  async find(tenantId: TenantId): Promise<AuditKey | undefined> {
    const wrapped = await findWrappedDataKeyOf(this.#database, tenantId);
    return wrapped && this.open(tenantId, wrapped);
  }

  open(tenantId: TenantId, wrapped: WrappedKey): AuditKey {
    return openAuditKey(this.#masterKeys(), tenantId, wrapped);
  }
}
