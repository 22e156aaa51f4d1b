import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId, parseTenantId } from '@keywright/contract/ids';
import type { TenantMessaging, TenantRecord } from '@keywright/contract/records/tenant';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createTenant, listTenants } from '@keywright/contract/routes/tenants';
import type { Clock } from '../../../platform/clock.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { mailForAll } from '../../../platform/development.ts';
import type { Log } from '../../../platform/log.ts';
import { brandingChanged } from '../../../tenancy/after-commit.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import { type SystemData, type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import {
  type RepeatableRequest,
  findStoredAnswer,
  keepAnswer,
} from '../../../tenancy/idempotency.ts';
import type { Core } from '../../../tenancy/module.ts';
import { withDefaults } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { presentTenant, reasonOf, writeTenant } from './create-tenant.ts';
import { startDeletion, deleteRowBatch, findDeletedTenants } from './deletion-store.ts';
import { mergeMessaging } from './messaging.ts';
import { requireWorking } from './required-setup.ts';
import { mergeSettings, requireDomains } from './tenant-rules.ts';
import {
  findTenant,
  findTenantDependents,
  findTenants,
  searchTenants,
  type TenantDetails,
} from './tenant-store.ts';
import { across, requireVisible } from './update-tenant.ts';

type CreateError =
  | 'VALIDATION_FAILED'
  | 'METHOD_NOT_READY'
  | 'SLUG_TAKEN'
  | 'DOMAIN_TAKEN'
  | 'CLAIM_RESERVED';

/** Creates and reads tenants. */
export class TenantService {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Creates a tenant. A retry returns the response that is stored in the caller's tenant. */
  async create(
    home: Tenant,
    caller: Caller,
    body: BodyOf<typeof createTenant>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<CreateError>,
  ): Promise<TenantRecord> {
    const { system, gate, masterKeys, clock } = this.#core;
    await this.#requireUsable(body, fail);
    const now = clock.now();
    const reason = reasonOf(body);
    if (!repeatable) {
      const alone = { system, by: caller, reason };
      const row = await writeTenant(alone, caller, masterKeys, body, now, fail);
      if (body.branding) gate.publish(brandingChanged, row.id);
      return this.#present(row);
    }
    return system.run(caller, reason, async (tx) => {
      const stored = await asTenant(tx, home.id, (homeTx) =>
        findStoredAnswer<TenantRecord>(homeTx, repeatable),
      );
      if (stored) return stored;
      const row = await writeTenant(tx, caller, masterKeys, body, now, fail);
      if (body.branding) tx.hooks.publish(brandingChanged, row.id);
      const response = this.#present(row);
      await asTenant(tx, home.id, (homeTx) => keepAnswer(homeTx, repeatable, response));
      return response;
    });
  }

  async list(caller: Caller, query: QueryOf<typeof listTenants>, fail: Fail<'VALIDATION_FAILED'>) {
    const { system } = this.#core;
    const page = readPage(['tenants'], query, query.sort ?? '-created_at', fail);
    const { search, is_active: isActive } = query;
    const { rows, counted } =
      search === undefined && isActive === undefined
        ? await findTenants(system, caller, page)
        : await searchTenants(system, caller, page, {
            search,
            isActive: isActive === undefined ? undefined : isActive === 'true',
          });
    const ageOf = (row: (typeof rows)[number]) => row.created_at.toISOString();
    return listed(page, rows, counted, ageOf, (row) => this.#present(row));
  }

  async get(
    tenant: Tenant,
    caller: Caller,
    text: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<TenantRecord> {
    const id = requireVisible(text, tenant, caller, fail);
    const find = (tx: SystemTx) => findTenant(tx, id);
    const row = await across(this.#core.system, caller, `read tenant ${id}`, id, find);
    return row ? this.#present(row) : fail('NOT_FOUND');
  }

  async getDependents(caller: Caller, text: string, fail: Fail<'NOT_FOUND'>) {
    const id = parseTenantId(text) ?? fail('NOT_FOUND');
    const find = (tx: SystemTx) => findTenantDependents(tx, id);
    const found = await this.#core.system.run(caller, `count dependents of ${id}`, find, id);
    return found ?? fail('NOT_FOUND');
  }

  /** Rejects settings that a change of the tenant would also reject. */
  async #requireUsable(
    { config = {}, messaging = {}, domains = [] }: BodyOf<typeof createTenant>,
    fail: Fail<'VALIDATION_FAILED' | 'METHOD_NOT_READY'>,
  ): Promise<void> {
    const after = {
      issuer: this.#core.baseUrl(),
      domains: requireDomains(domains, fail),
      config: withDefaults(mergeSettings({}, config)),
      messaging: mergeMessaging({}, messaging) as TenantMessaging,
    };
    await requireWorking(this.#core, { config, messaging }, after, false, fail);
  }

  #present(row: TenantDetails): TenantRecord {
    const { baseUrl, config } = this.#core;
    return presentTenant(row, baseUrl(), mailForAll(config));
  }
}

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
        if (!(await startDeletion(tx, id, this.#clock.now()))) fail('NOT_FOUND');
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
    const deleteBatch = async () =>
      !this.#isStopped &&
      (await this.#system.maintain(`clear ${id}`, (tx) => deleteRowBatch(tx, id)));
    while (await deleteBatch());
  }

  #clearInBackground(): void {
    this.#inFlight = this.#inFlight
      .then(() => this.resume())
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'could not clear deleted tenants; will retry later');
      });
  }
}
