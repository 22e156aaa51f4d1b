import { hkdfSync, type KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { takeSecretKey } from '../../../platform/crypto/secret-key.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { WrappedKey } from '../../../tenancy/store.ts';

/** Derived (RFC 5869) from the data key, so that subjects stay the same when signing keys or the master key change. */
export function openSubjectKey(
  masterKeys: MasterKeys,
  tenantId: TenantId,
  wrapped: WrappedKey,
): KeyObject {
  const dataKey = masterKeys.unwrap(tenantId, wrapped);
  try {
    const bytes = hkdfSync('sha256', dataKey, '', 'keywright pairwise subjects', 32);
    return takeSecretKey(Buffer.from(bytes));
  } finally {
    dataKey.fill(0);
  }
}
