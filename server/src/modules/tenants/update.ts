import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { BodyOf } from '@keywright/contract/route';
import type { updateTenant } from '@keywright/contract/routes/tenants';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../tenancy/caller.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import { asTenant, type SystemData, type SystemTx } from '../../tenancy/system.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { actingIn } from '../journal/index.ts';
import { type Impact, impactOf } from './impact.ts';
import { countAffected } from './impact-store.ts';
import { mergeMessaging, sealMessaging } from './messaging.ts';
import { presentTenant } from './present.ts';
import { recordChange } from './recorded.ts';
import { requireDomains, requireOwnClaims } from './rules.ts';
import {
  areFreeDomains,
  lockTenant,
  replaceDomains,
  type TenantChange,
  type TenantDetails,
  updateTenantRow,
} from './store.ts';

type Patch = BodyOf<typeof updateTenant>;
type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'NOT_FOUND'
  | 'DOMAIN_TAKEN'
  | 'CLAIM_RESERVED'
  | 'SYSTEM_ADMINISTRATOR_REQUIRED'
  | 'DEFAULT_TENANT_PROTECTED'
>;

export interface TenantParts {
  readonly system: SystemData;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** The tenant that a path names, if the caller may see it: the own one, or any for a system administrator. */
export function visibleTenant(
  text: string,
  tenant: Tenant,
  caller: Caller,
  fail: Fail<'NOT_FOUND'>,
): TenantId {
  const id = parseTenantId(text) ?? fail('NOT_FOUND');
  return id === tenant.id || caller.isSystemAdministrator ? id : fail('NOT_FOUND');
}

export interface DryRun {
  readonly dry_run: true;
  readonly tenant: TenantRecord;
  readonly affected: Impact[];
}

/** Changes a tenant; or, as a dry run, tells what the change would mean and changes nothing. */
export async function changeTenant(
  parts: TenantParts,
  caller: Caller,
  id: TenantId,
  patch: Patch,
  isDryRun: boolean,
  fail: Refuse,
): Promise<TenantRecord | DryRun> {
  requireMayChange(id, caller, patch, fail);
  requireOwnClaims(patch.config, fail);
  const domains = patch.domains && requireDomains(patch.domains, fail);
  const dataKey = patch.messaging && ((await parts.dataKeys.find(id)) ?? fail('NOT_FOUND'));
  const messaging = patch.messaging && dataKey && sealMessaging(patch.messaging, id, dataKey);
  const why = `${isDryRun ? 'try a change of' : 'change'} tenant ${id}`;
  return across(parts.system, caller, why, id, async (tx) => {
    const row = (await lockTenant(tx, id)) ?? fail('NOT_FOUND');
    const change = changeOf(row, patch, messaging);
    const before = presentTenant(row, parts.baseUrl());
    const after = presentTenant(changed(row, change, domains), parts.baseUrl());
    if (isDryRun) {
      if (!(await areFreeDomains(tx, id, domains ?? []))) fail('DOMAIN_TAKEN');
      const counts = await asTenant(tx, id, (own) => countAffected(own, parts.clock.now()));
      return { dry_run: true, tenant: after, affected: impactOf(before, after, counts) };
    }
    if (domains && !(await replaceDomains(tx, id, domains))) fail('DOMAIN_TAKEN');
    await updateTenantRow(tx, id, change);
    await asTenant(tx, id, (own) =>
      recordChange(own, actingIn(id, caller), Object.keys(patch), before, after),
    );
    return after;
  });
}

/** Work on a tenant: recorded as work across tenants, unless the tenant is the caller's own. */
export function across<T>(
  system: SystemData,
  caller: Caller,
  reason: string,
  id: TenantId,
  work: (tx: SystemTx) => Promise<T>,
): Promise<T> {
  const isOwn = id === caller.claims.tenant_id;
  return isOwn ? system.upkeep(reason, work) : system.run(caller, reason, work, id);
}

/** Only a system administrator sets domains, is_active and the issuer. */
function requireMayChange(id: TenantId, caller: Caller, patch: Patch, fail: Refuse): void {
  const isSystemOnly =
    patch.domains !== undefined || patch.is_active !== undefined || patch.issuer !== undefined;
  if (isSystemOnly && !caller.isSystemAdministrator) fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  if (id !== DEFAULT_TENANT) return;
  if (patch.is_active === false) fail('DEFAULT_TENANT_PROTECTED');
  // Nobody would be left who could undo it.
  if (locksOut(patch.config)) fail('DEFAULT_TENANT_PROTECTED', { detail: LOCKED_OUT });
}

const LOCKED_OUT =
  'System administrators log in to the default tenant, with a password alone: they would be locked out.';

/** Whether nobody can log in by these settings, for as long as a password is the one way to. */
function locksOut(config: Patch['config']): boolean {
  const methods = config?.allowed_login_methods;
  return config?.require_mfa === true || methods?.includes('password') === false;
}

/** Each top-level object is merged field by field; the rest is replaced. */
function changeOf(
  row: TenantDetails,
  { name, config, branding, is_active: isActive, issuer }: Patch,
  messaging: Parameters<typeof mergeMessaging>[1] | undefined,
): TenantChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(config ? { config: { ...(row.config as object), ...config } } : {}),
    ...(branding ? { branding: { ...(row.branding as object), ...branding } } : {}),
    ...(messaging ? { messaging: mergeMessaging(row.messaging, messaging) } : {}),
  };
}

function changed(
  row: TenantDetails,
  change: TenantChange,
  domains: string[] | undefined,
): TenantDetails {
  const { config, branding, messaging, ...plain } = change;
  return {
    ...row,
    ...plain,
    config: (config ?? row.config) as TenantDetails['config'],
    branding: (branding ?? row.branding) as TenantDetails['branding'],
    messaging: (messaging ?? row.messaging) as TenantDetails['messaging'],
    domains: domains?.toSorted() ?? row.domains,
  };
}
