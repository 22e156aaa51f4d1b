import { hkdfSync, type KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { takeSecretKey } from '../platform/crypto/secret-key.ts';
import type { Database } from '../platform/db/database.ts';
import { findWrappedDataKeyOf, type WrappedKey } from './lookup-store.ts';

/** What the MACs of a tenant's audit entries are made with. OpenSSL wipes it when nobody holds it any more. */
export type AuditKey = KeyObject;

/** The tenant was deleted meanwhile, or its data key was: nothing can be recorded of it any more. */
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

/** @throws when the data key does not open */
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

/** Hands out the audit keys of tenants. */
export interface AuditKeys {
  /** The one that is remembered: whoever is in a transaction asks nobody over another connection. */
  known(tenantId: TenantId): AuditKey | undefined;
  /** Nothing when the tenant has no data key: it was never there, or it was deleted. */
  find(tenantId: TenantId): Promise<AuditKey | undefined>;
  /** @throws when the data key does not open */
  open(tenantId: TenantId, wrapped: WrappedKey): AuditKey;
}

/** Who opens data keys: the master keys. */
interface Opener {
  unwrap(tenantId: TenantId, wrapped: WrappedKey): Buffer;
}

/** Each time it is asked for from the database, for programs that live as long as one command. */
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
