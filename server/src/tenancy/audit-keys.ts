import { hkdfSync } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import type { Database } from '../platform/db/database.ts';
import { findWrappedDataKeyOf, type WrappedKey } from './lookup-store.ts';

/** What the MACs of a tenant's audit entries are made with. */
export type AuditKey = Buffer;

/** The tenant was deleted meanwhile, or its data key was: nothing can be recorded of it any more. */
export class DataKeyGone extends Error {
  constructor(tenantId: TenantId) {
    super(`The tenant ${tenantId} has no data key.`);
    this.name = 'DataKeyGone';
  }
}

/** Derived (RFC 5869) from the data key, which stays the same when another master key wraps it. */
export function auditKeyOf(dataKey: Buffer): AuditKey {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright audit entries', 32));
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
    auditKeyOf(masterKeys().unwrap(tenantId, wrapped));
  return {
    known: () => undefined,
    async find(tenantId) {
      const wrapped = await findWrappedDataKeyOf(database, tenantId);
      return wrapped && open(tenantId, wrapped);
    },
    open,
  };
}
