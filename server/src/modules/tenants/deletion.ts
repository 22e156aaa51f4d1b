import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SystemData } from '../../tenancy/system.ts';
import { beginDeletion, deleteSomeRows, findDeletedTenants } from './deletion-store.ts';

/** Deletes tenants: at once for everyone outside, batch by batch in the tables. */
export interface TenantDeletion {
  delete(
    actor: string,
    id: string,
    fail: Fail<'NOT_FOUND' | 'DEFAULT_TENANT_PROTECTED'>,
  ): Promise<TenantId>;
  /** Goes on with what a crash or a stop has interrupted, until nothing is left. */
  resume(): Promise<void>;
}

export function createTenantDeletion(system: SystemData, clock: Clock, log: Log): TenantDeletion {
  async function clear(id: TenantId): Promise<void> {
    const more = () =>
      system.run('tenant deletion', `clear ${id}`, (tx) => deleteSomeRows(tx, id));
    while (await more());
  }

  async function resume(): Promise<void> {
    const ids = await system.run('tenant deletion', 'look for interrupted ones', findDeletedTenants);
    for (const id of ids) await clear(id);
  }

  return {
    resume,
    async delete(actor, text, fail) {
      const id = parseTenantId(text) ?? fail('NOT_FOUND');
      if (id === DEFAULT_TENANT) fail('DEFAULT_TENANT_PROTECTED');
      const isOurs = await system.run(actor, `delete tenant ${id}`, (tx) =>
        beginDeletion(tx, id, clock.now()),
      );
      if (!isOurs) fail('NOT_FOUND');
      clear(id).catch((error: unknown) =>
        log.error({ err: error, tenant: id }, 'clearing a deleted tenant away goes on later'),
      );
      return id;
    },
  };
}
