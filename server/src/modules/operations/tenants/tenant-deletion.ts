import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { beginDeletion, deleteSomeRows, findDeletedTenants } from './deletion-store.ts';

/** Deletes tenants: immediately for all callers, then batch by batch from the tables. */
export class TenantDeletion {
  readonly #system: SystemData;
  readonly #clock: Clock;
  readonly #log: Log;
  #isStopped = false;
  #inFlight: Promise<void> = Promise.resolve();

  constructor(system: SystemData, clock: Clock, log: Log) {
    this.#system = system;
    this.#clock = clock;
    this.#log = log;
  }

  async delete(
    by: Caller | SystemActor,
    text: string,
    fail: Fail<'NOT_FOUND' | 'DEFAULT_TENANT_PROTECTED'>,
  ): Promise<TenantId> {
    const id = parseTenantId(text) ?? fail('NOT_FOUND');
    if (id === DEFAULT_TENANT) fail('DEFAULT_TENANT_PROTECTED');
    await this.#system.run(
      by,
      `delete tenant ${id}`,
      async (tx) => {
        if (!(await beginDeletion(tx, id, this.#clock.now()))) fail('NOT_FOUND');
      },
      id,
    );
    this.#clearInBackground();
    return id;
  }

  /** Resumes deletions that a crash or a stop interrupted, until no row is left. */
  async resume(): Promise<void> {
    const ids = await this.#system.maintain('look for interrupted deletions', findDeletedTenants);
    for (const id of ids) await this.#clear(id);
  }

  /** Resolves when the rows of tenants deleted by this node are deleted. The next start resumes a failed deletion. */
  settled(): Promise<void> {
    return this.#inFlight;
  }

  /** Stops after the current batch. The next start resumes. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#inFlight;
  }

  async #clear(id: TenantId): Promise<void> {
    const deleteSome = async () =>
      !this.#isStopped &&
      (await this.#system.maintain(`clear ${id}`, (tx) => deleteSomeRows(tx, id)));
    while (await deleteSome());
  }

  #clearInBackground(): void {
    this.#inFlight = this.#inFlight
      .then(() => this.resume())
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'clearing deleted tenants away goes on later');
      });
  }
}
