import type { TenantId } from '@keywright/contract/ids';
import { createSealer, type SealerDependencies } from './sealer.ts';
import { listTenantsToSeal } from './sealing-store.ts';

const EVERY_MS = 1000;
/** Tenants per transaction: with many tenants, most have one or two entries. */
const TENANTS_AT_ONCE = 50;

/** Adds entries of the audit log to the chain of their tenant. */
export interface Sealing {
  /** Seals the committed entries of one tenant; waits for another node that is doing so. @returns their number */
  seal(tenantId: TenantId): Promise<number>;
  /** The same for every tenant, except those that another node is sealing. */
  sweep(): Promise<number>;
  /** Starts sweeping every second. */
  start(): void;
  /** Resolves when no work is in progress. The rest is sealed by another node, or at the next start. */
  stop(): Promise<void>;
}

/** Any number of nodes may seal concurrently. */
export function createSealing(dependencies: SealerDependencies): Sealing {
  const { log, system } = dependencies;
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

  let inFlight: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  function sweepInBackground(): void {
    if (isBusy) return;
    isBusy = true;
    inFlight = sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'audit logs were not sealed'))
      .finally(() => {
        isBusy = false;
      });
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    seal: (tenantId) => sealer.seal(tenantId),
    sweep,
    start() {
      timer = setInterval(sweepInBackground, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await inFlight;
    },
  };
}
