import type { Fail } from '@keywright/contract/errors';
import { parseTenantId } from '@keywright/contract/ids';
import type { TenantMessaging, TenantRecord } from '@keywright/contract/records/tenant';
import type { BodyOf } from '@keywright/contract/route';
import {
  createTenant,
  deleteTenant,
  getTenant,
  getTenantDependents,
  listTenants,
  updateTenant,
} from '@keywright/contract/routes/tenants';
import { listed, readPage } from '../../../platform/db/page.ts';
import { brandingChanged } from '../../../tenancy/branding-changed.ts';
import { withDefaults } from '../../../tenancy/config.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { findKeptAnswer, keepAnswer } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { asTenant, type SystemTx } from '../../../tenancy/system.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { reasonOf, writeTenant, presentTenant } from './create-tenant.ts';
import { type TenantDeletion, createTenantDeletion } from './deletion.ts';
import { mergeMessaging } from './messaging.ts';
import { requireWorking } from './required-setup.ts';
import { mergeSettings, requireScopesFor, requireDomains } from './tenant-rules.ts';
import { searchTenants, findTenantDependents, findTenant, findTenants } from './tenant-store.ts';
import { across, changeTenant, type TenantDependencies, visibleTenant } from './update-tenant.ts';

interface Dependencies extends TenantDependencies {
  readonly gate: Pick<Gate, 'publish'>;
  readonly masterKeys: MasterKeys;
  readonly deletion: TenantDeletion;
}

function bindTenantRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, system, masterKeys, deletion, clock, baseUrl } = dependencies;
  bindReads(router, dependencies);

  router.add(createTenant, async ({ tenant: home, caller, body, repeatable }, fail) => {
    await requireUsable(dependencies, body, fail);
    const now = clock.now();
    if (!repeatable) {
      const alone = { system, by: caller, reason: reasonOf(body) };
      const row = await writeTenant(alone, caller, masterKeys, body, now, fail);
      if (body.branding) gate.publish(brandingChanged, row.id);
      return presentTenant(row, baseUrl());
    }
    return system.run(caller, reasonOf(body), async (tx) => {
      const kept = await asTenant(tx, home.id, (own) =>
        findKeptAnswer<TenantRecord>(own, repeatable),
      );
      if (kept) return kept;
      const row = await writeTenant(tx, caller, masterKeys, body, now, fail);
      if (body.branding) tx.hooks.publish(brandingChanged, row.id);
      const answer = presentTenant(row, baseUrl());
      await asTenant(tx, home.id, (own) => keepAnswer(own, repeatable, answer));
      return answer;
    });
  });

  router.add(updateTenant, ({ tenant, caller, params, query, body }, fail) => {
    const id = visibleTenant(params.tenant_id, tenant, caller, fail);
    const how = { isDryRun: query.dry_run === 'true', isForced: query.force === 'true' };
    requireScopesFor(body, tenant, caller, { now: clock.now(), isDryRun: how.isDryRun });
    return changeTenant(dependencies, caller, id, body, how, fail);
  });

  router.add(deleteTenant, async ({ caller, params }, fail) => ({
    id: await deletion.delete(caller, params.tenant_id, fail),
    deleted: true as const,
  }));
}

/** What is only read. */
function bindReads(router: Router, { system, baseUrl }: Dependencies): void {
  router.add(listTenants, async ({ caller, query }, fail) => {
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
  });

  router.add(getTenant, async ({ tenant, caller, params }, fail) => {
    const id = visibleTenant(params.tenant_id, tenant, caller, fail);
    const find = (tx: SystemTx) => findTenant(tx, id);
    const row = await across(system, caller, `read tenant ${id}`, id, find);
    return row ? presentTenant(row, baseUrl()) : fail('NOT_FOUND');
  });

  router.add(getTenantDependents, async ({ caller, params }, fail) => {
    const id = parseTenantId(params.tenant_id) ?? fail('NOT_FOUND');
    const find = (tx: SystemTx) => findTenantDependents(tx, id);
    const found = await system.run(caller, `count dependents of ${id}`, find, id);
    return found ?? fail('NOT_FOUND');
  });
}

/** What a change of the tenant would reject as well. */
async function requireUsable(
  dependencies: TenantDependencies,
  { config = {}, messaging = {}, domains = [] }: BodyOf<typeof createTenant>,
  fail: Fail<'VALIDATION_FAILED' | 'METHOD_NOT_READY'>,
): Promise<void> {
  const after = {
    issuer: dependencies.baseUrl(),
    domains: requireDomains(domains, fail),
    config: withDefaults(mergeSettings({}, config)),
    messaging: mergeMessaging({}, messaging) as TenantMessaging,
  };
  await requireWorking(dependencies, { config, messaging }, after, false, fail);
}

export const tenantsModule = defineModule('tenants', (core, use) => {
  const { system, clock, log } = core;
  const { notifyAdministrators } = use(messagesModule);
  const deletion = createTenantDeletion(system, clock, log);
  return {
    routes: (router) => bindTenantRoutes(router, { ...core, deletion, notifyAdministrators }),
    resume: () => deletion.resume(),
    stop: () => deletion.stop(),
  };
});
