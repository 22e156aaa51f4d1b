import { hkdfSync, type KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { takeSecretKey } from '../platform/crypto/secret-key.ts';
import type { Database } from '../platform/db/database.ts';
import { findWrappedDataKeyOf, type WrappedKey } from './lookup-store.ts';

/** What the MACs of a tenant's audit entries are made with. OpenSSL wipes it when nobody holds it any more. */
export type AuditKey = KeyObject;

/** The tenant, or its data key, was deleted meanwhile: nothing more can be recorded for it. */
export class DataKeyGone extends Error {
  constructor(tenantId: TenantId) {
    super(`The tenant ${tenantId} has no data key.`);
    this.name = 'DataKeyGone';
  }
}

/** Derived (RFC 5869) from the data key, which stays the same when another master key wraps it. */
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
  /** The cached one: a transaction must not wait for another connection. */
  known(tenantId: TenantId): AuditKey | undefined;
  /** Undefined when the tenant has no data key: it is unknown or was deleted. */
  find(tenantId: TenantId): Promise<AuditKey | undefined>;
  /** @throws Error when the data key cannot be decrypted */
  open(tenantId: TenantId, wrapped: WrappedKey): AuditKey;
}

/** Decrypts data keys: the master keys. */
interface Opener {
  unwrap(tenantId: TenantId, wrapped: WrappedKey): Buffer;
}

/** Not cached, for programs that run a single command. */
export function createAuditKeys(database: Database, masterKeys: () => Opener): AuditKeys {
  const open = (tenantId: TenantId, wrapped: WrappedKey) =>
    openAuditKey(masterKeys(), tenantId, wrapped);
  return {
    known: () => undefined,
    async find(tenantId) {
      const wrapped = await findWrappedDataKeyOf(database, tenantId);
      return wrapped && open(tenantId, wrapped);
    },
    open,
  };
}
