import type { Fail } from '@keywright/contract/errors';
import { parseTenantId } from '@keywright/contract/ids';
import type { TenantMessaging, TenantRecord } from '@keywright/contract/records/tenant';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import type { createTenant, listTenants } from '@keywright/contract/routes/tenants';
import { listed, readPage } from '../../../platform/db/page.ts';
import { brandingChanged } from '../../../tenancy/branding-changed.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import { withDefaults } from '../../../tenancy/config.ts';
import {
  findKeptAnswer,
  keepAnswer,
  type RepeatableRequest,
} from '../../../tenancy/idempotency.ts';
import type { Core } from '../../../tenancy/module.ts';
import { asTenant, type SystemTx } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { presentTenant, reasonOf, writeTenant } from './create-tenant.ts';
import { mergeMessaging } from './messaging.ts';
import { requireWorking } from './required-setup.ts';
import { mergeSettings, requireDomains } from './tenant-rules.ts';
import { findTenant, findTenantDependents, findTenants, searchTenants } from './tenant-store.ts';
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
    const { system, gate, masterKeys, clock, baseUrl } = this.#core;
    await this.#requireUsable(body, fail);
    const now = clock.now();
    const reason = reasonOf(body);
    if (!repeatable) {
      const alone = { system, by: caller, reason };
      const row = await writeTenant(alone, caller, masterKeys, body, now, fail);
      if (body.branding) gate.publish(brandingChanged, row.id);
      return presentTenant(row, baseUrl());
    }
    return system.run(caller, reason, async (tx) => {
      const stored = await asTenant(tx, home.id, (own) =>
        findKeptAnswer<TenantRecord>(own, repeatable),
      );
      if (stored) return stored;
      const row = await writeTenant(tx, caller, masterKeys, body, now, fail);
      if (body.branding) tx.hooks.publish(brandingChanged, row.id);
      const response = presentTenant(row, baseUrl());
      await asTenant(tx, home.id, (own) => keepAnswer(own, repeatable, response));
      return response;
    });
  }

  async list(caller: Caller, query: QueryOf<typeof listTenants>, fail: Fail<'VALIDATION_FAILED'>) {
    const { system, baseUrl } = this.#core;
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
    return listed(page, rows, counted, ageOf, (row) => presentTenant(row, baseUrl()));
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
    return row ? presentTenant(row, this.#core.baseUrl()) : fail('NOT_FOUND');
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
}
