import type { TenantId } from '@keywright/contract/ids';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { createSealer, type SealerDependencies } from './sealer.ts';
import { listTenantsToSeal } from './sealing-store.ts';

/** Tenants per transaction: with many tenants, most have one or two entries. */
const TENANTS_AT_ONCE = 50;

/** Adds entries of the audit log to the chain of their tenant. */
export interface Sealing {
  /** Seals the committed entries of one tenant; waits for another node that is doing so. @returns their number */
  seal(tenantId: TenantId): Promise<number>;
  /** The same for every tenant, except those that another node is sealing. */
  sweep(): Promise<number>;
  /** Sweeps every second from now on, while entries wait. */
  start(): void;
  /** Resolves when no work is in progress. The rest is sealed by another node, or at the next start. */
  stop(): Promise<void>;
}

/** Any number of nodes may seal concurrently. */
export function createSealing(
  dependencies: SealerDependencies & { readonly poller: Poller },
): Sealing {
  const { log, system, poller } = dependencies;
  const sealer = createSealer(dependencies);

  async function sweep(): Promise<number> {
    const tenantIds = await system.maintain('look for entries to seal', listTenantsToSeal);
    let total = 0;
    for (let start = 0; start < tenantIds.length; start += TENANTS_AT_ONCE) {
      const some = tenantIds.slice(start, start + TENANTS_AT_ONCE);
      total += await sealer.sealFree(some).catch(() => sealOneByOne(some));
    }
    return total;
  }

  /** A tenant without a signing key, or one being deleted, must not block the others. */
  async function sealOneByOne(tenantIds: readonly TenantId[]): Promise<number> {
    let total = 0;
    for (const tenantId of tenantIds) {
      total += await sealer.sealFree([tenantId]).catch((error: unknown) => {
        log.warn({ err: error, tenant: tenantId }, 'the audit log was not sealed');
        return 0;
      });
    }
    return total;
  }

  let stopPolling: (() => Promise<void>) | undefined;
  return {
    seal: (tenantId) => sealer.seal(tenantId),
    sweep,
    start() {
      stopPolling = poller.register({ name: 'audit log', table: 'audit_unsealed', look: sweep });
    },
    async stop() {
      await stopPolling?.();
    },
  };
}
