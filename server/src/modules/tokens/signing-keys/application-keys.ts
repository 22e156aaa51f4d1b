import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import type { PublishedApplicationKey } from './published.ts';
import { keyStates, nextChangeOf } from './rules.ts';
import { listApplicationKeys } from './store.ts';

/**
 * The keys of each tenant that sign what applications verify, of algorithms that they all know. They are apart from those
 * of the key ring, so that nothing signed with them can be taken for one of the service's own tokens, and so that most
 * tenants, which have none, take no more memory.
 */
export interface ApplicationKeys {
  /** The published keys, the newest first: the same list while it does not change. */
  published(tenantId: TenantId): Promise<readonly PublishedApplicationKey[]>;
}

/** Without private keys, which are over a kilobyte each. */
interface TenantKeys {
  readonly published: readonly PublishedApplicationKey[];
  /** From this moment on other keys sign or are published. Milliseconds since the epoch. */
  readonly until: number;
}

export function createApplicationKeys(gate: Gate, changes: Changes, clock: Clock): ApplicationKeys {
  const keysOf = new TenantCache(changes, {
    load: async (tenantId: TenantId) =>
      known(await listApplicationKeys(gate.into(tenantId)), clock.now()),
    tenantOf: (_keys, tenantId) => tenantId,
    isCurrent: (keys) => clock.now().getTime() < keys.until,
  });
  return {
    async published(tenantId) {
      const keys = await keysOf.find(tenantId);
      if (!keys) throw new Error(`The keys of the tenant ${tenantId} cannot be read.`);
      return keys.published;
    },
  };
}

function known(rows: Awaited<ReturnType<typeof listApplicationKeys>>, now: Date): TenantKeys {
  const states = keyStates(rows, now);
  return {
    published: rows
      .filter((row) => states.get(row.id) !== 'retired')
      .map((row) => ({ kid: row.id, publicKey: row.public_key, algorithm: row.algorithm })),
    until: nextChangeOf(rows, now),
  };
}
