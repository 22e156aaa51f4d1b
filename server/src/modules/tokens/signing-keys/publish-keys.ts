import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { ApplicationKeys } from './application-keys.ts';

/**
 * Publishes keys that are about to be needed. A client that fetched the key set before its first ID token would not find
 * the key in it, and libraries wait before they fetch it again.
 */
export type PublishKeys = (tenantId: TenantId, algorithms: Iterable<KeyAlgorithm>) => Promise<void>;

/** Every tenant has a key of EdDSA. */
export function createPublishKeys(keys: ApplicationKeys): PublishKeys {
  return async (tenantId, algorithms) => {
    for (const algorithm of new Set(algorithms)) {
      if (algorithm !== 'EdDSA') await keys.prepare(tenantId, algorithm);
    }
  };
}
