import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import { beginDeletion, deleteSomeRows, findDeletedTenants } from './deletion-store.ts';

/** Deletes tenants: at once for everyone outside, batch by batch in the tables. */
export interface TenantDeletion {
  delete(
    by: Caller | SystemActor,
    id: string,
    fail: Fail<'NOT_FOUND' | 'DEFAULT_TENANT_PROTECTED'>,
  ): Promise<TenantId>;
  /** Goes on with what a crash or a stop has interrupted, until nothing is left. */
  resume(): Promise<void>;
  /** Resolves when the clearing started here is done; a failed one is resumed at the next start. */
  settled(): Promise<void>;
  /** Ends after the current batch; the next start continues. */
  stop(): Promise<void>;
}

export function createTenantDeletion(system: SystemData, clock: Clock, log: Log): TenantDeletion {
  let isStopped = false;
  let inFlight: Promise<void> = Promise.resolve();

  async function clear(id: TenantId): Promise<void> {
    const more = async () =>
      !isStopped && (await system.maintain(`clear ${id}`, (tx) => deleteSomeRows(tx, id)));
    while (await more());
  }

  async function resume(): Promise<void> {
    const ids = await system.maintain('look for interrupted deletions', findDeletedTenants);
    for (const id of ids) await clear(id);
  }

  function clearInBackground(): void {
    inFlight = inFlight.then(resume).catch((error: unknown) => {
      log.error({ err: error }, 'clearing deleted tenants away goes on later');
    });
  }

  return {
    resume,
    settled: () => inFlight,
    stop() {
      isStopped = true;
      return inFlight;
    },
    async delete(by, text, fail) {
      const id = parseTenantId(text) ?? fail('NOT_FOUND');
      if (id === DEFAULT_TENANT) fail('DEFAULT_TENANT_PROTECTED');
      const begin = async (tx: SystemTx) => {
        if (!(await beginDeletion(tx, id, clock.now()))) fail('NOT_FOUND');
      };
      await system.run(by, `delete tenant ${id}`, begin, id);
      clearInBackground();
      return id;
    },
  };
}
