import type { SystemWork } from '@keywright/contract/audit';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type {
  TenantMessagingPatch,
  TenantRecord,
  TenantMessaging,
} from '@keywright/contract/records/tenant';
import type { BodyOf } from '@keywright/contract/route';
import type { updateTenant } from '@keywright/contract/routes/tenants';
import { LOGINS } from '@keywright/contract/scopes';
import { mailForAll } from '../../../platform/development.ts';
import { changedFields } from '../../../platform/patch.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import { brandingChanged } from '../../../tenancy/after-commit.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { type SystemData, type SystemTx, type TenantTx, asTenant } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { actingIn, type Actor, record } from '../../events/journal/index.ts';
import type { LoginsChange, Notices } from '../../events/messages/index.ts';
import { lockRoles } from '../../identity/users/index.ts';
import { outdateAgents, outdateDelegations } from '../../machines/agents/index.ts';
import { endSessionsOfTenant } from '../../tokens/sessions/index.ts';
import { presentTenant } from './create-tenant.ts';
import { countAffected } from './impact-store.ts';
import { type Impact, impactOf } from './impact.ts';
import { mergeMessaging, sealMessaging } from './messaging.ts';
import {
  requireAdministrable,
  requirePasskeyOfCaller,
  requireVerifiedCaller,
  newPasskeyDomain,
  PASSKEYS_IN_USE,
  requireWorking,
} from './required-setup.ts';
import {
  mergeSettings,
  requireAsMuchAsUsersOf,
  scopesOf,
  refuseDomains,
  refuseRole,
  requireDomains,
  requireGoodSettings,
  requireScopesFor,
  requireSecretsAgain,
} from './tenant-rules.ts';
import {
  countLost,
  hasActiveProvider,
  findTakenDomains,
  lockTenant,
  replaceDomains,
  type TenantChange,
  type TenantDetails,
  updateTenantRow,
} from './tenant-store.ts';

type Patch = BodyOf<typeof updateTenant>;
type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'NOT_FOUND'
  | 'DOMAIN_TAKEN'
  | 'CLAIM_RESERVED'
  | 'SYSTEM_ADMINISTRATOR_REQUIRED'
  | 'DEFAULT_TENANT_PROTECTED'
  | 'METHOD_NOT_READY'
  | 'IN_USE'
  | 'SCOPE_NOT_HELD'
>;

/**
 * Returns the tenant in a path if the caller can see it: the caller's own tenant, or any for a system administrator.
 */
export function requireVisible(
  text: string,
  tenant: Tenant,
  caller: Caller,
  fail: Fail<'NOT_FOUND'>,
): TenantId {
  const id = parseTenantId(text) ?? fail('NOT_FOUND');
  return id === tenant.id || caller.isSystemAdministrator ? id : fail('NOT_FOUND');
}

interface UpdateMode {
  readonly isDryRun: boolean;
  /** Whether the change is made even if users lose their passkeys. */
  readonly isForced: boolean;
}

/** A patch with sealed secrets and normalized domains. */
interface TenantPatch {
  readonly patch: Patch;
  readonly messaging: Parameters<typeof mergeMessaging>[1] | undefined;
  readonly domains: string[] | undefined;
}

/** The records of a locked tenant before and after a change. */
interface Plan {
  readonly row: TenantDetails;
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  readonly change: TenantChange;
}

interface DryRun {
  readonly dry_run: true;
  readonly tenant: TenantRecord;
  readonly affected: Impact[];
}

async function sealedFor(
  id: TenantId,
  messaging: TenantMessagingPatch,
  dataKeys: DataKeys,
  fail: Fail<'NOT_FOUND'>,
) {
  try {
    return await dataKeys.use(id, (dataKey) => sealMessaging(messaging, id, dataKey));
  } catch (error) {
    if (error instanceof DataKeyGone) fail('NOT_FOUND');
    throw error;
  }
}

/** @param lost the number of users whose passkeys would stop working */
async function effectOf(
  tx: TenantTx,
  { before, after }: Plan,
  lost: number,
  now: Date,
): Promise<DryRun> {
  const counts = await countAffected(tx, after, now);
  return { dry_run: true, tenant: after, affected: impactOf(before, after, counts, lost) };
}

/** Changes tenants (PATCH /tenants/<id>). */
export class TenantUpdate {
  readonly #core: Core;
  readonly #notices: Notices;

  constructor(core: Core, notices: Notices) {
    this.#core = core;
    this.#notices = notices;
  }

  /** Changes a tenant. A dry run returns the effects without changing anything. */
  async update(
    tenant: Tenant,
    caller: Caller,
    text: string,
    patch: Patch,
    { isDryRun, isForced }: UpdateMode,
    fail: Refuse,
  ): Promise<TenantRecord | DryRun> {
    const { system, clock, dataKeys } = this.#core;
    const id = requireVisible(text, tenant, caller, fail);
    requireScopesFor(patch, tenant, caller, { now: clock.now(), isDryRun });
    requireMayChange(id, caller, patch, fail);
    requireGoodSettings(patch.config, fail);
    const domains = patch.domains && requireDomains(patch.domains, fail);
    const messaging = patch.messaging && (await sealedFor(id, patch.messaging, dataKeys, fail));
    const reason: SystemWork = `${isDryRun ? 'try a change of' : 'change'} tenant ${id}`;
    return across(system, caller, reason, id, async (tx) => {
      const plan = await this.#plan(tx, caller, id, { patch, messaging, domains }, fail);
      const lost = await asTenant(tx, id, (tenantTx) =>
        countLost(tenantTx, newPasskeyDomain(plan.before, plan.after)),
      );
      if (isDryRun) {
        const taken = await findTakenDomains(tx, id, domains ?? []);
        if (taken.length > 0) refuseDomains(taken, fail);
        return asTenant(tx, id, (tenantTx) => effectOf(tenantTx, plan, lost, clock.now()));
      }
      if (lost > 0 && !isForced) fail('IN_USE', { detail: PASSKEYS_IN_USE });
      return this.#write(tx, caller, id, { ...plan, patch, domains }, fail);
    });
  }

  /** Locks the tenant, and validates the settings after the change. */
  async #plan(
    tx: SystemTx,
    caller: Caller,
    id: TenantId,
    { patch, messaging, domains }: TenantPatch,
    fail: Refuse,
  ): Promise<Plan> {
    const { baseUrl, config } = this.#core;
    const present = (tenant: TenantDetails) => presentTenant(tenant, baseUrl(), mailForAll(config));
    const row = (await lockTenant(tx, id)) ?? fail('NOT_FOUND');
    if (scopesOf(patch).includes(LOGINS)) await requireAsMuchAsUsersOf(tx, caller, id, fail);
    const before = present(row);
    requireSecretsAgain(before.messaging, patch.messaging, fail);
    const change = changeOf(row, before, patch, messaging);
    const after = present(changed(row, change, domains));
    await asTenant(tx, id, (tenantTx) => requireSafeLogins(tenantTx, caller, before, after, fail));
    const hasProviders = await asTenant(tx, id, hasActiveProvider);
    await requireWorking(this.#core, patch, after, hasProviders, fail);
    return { row, before, after, change };
  }

  async #write(
    tx: SystemTx,
    caller: Caller,
    id: TenantId,
    { row, before, after, change, patch, domains }: Plan & Omit<TenantPatch, 'messaging'>,
    fail: Refuse,
  ): Promise<TenantRecord> {
    const changedNames = changedParts(row, before, after, change);
    const fields = Object.keys(patch).filter((name) => changedNames.includes(name));
    if (fields.length === 0) return before;
    if (domains && !(await replaceDomains(tx, id, domains))) {
      refuseDomains(await findTakenDomains(tx, id, domains), fail);
    }
    await updateTenantRow(tx, id, change);
    if (change.branding) tx.hooks.publish(brandingChanged, id);
    await asTenant(tx, id, async (tenantTx) => {
      if (after.is_active && !before.is_active) await endFormerAccess(tenantTx);
      await recordChange(tenantTx, actingIn(id, caller), fields, before, after);
      for (const loginsChange of changesOfLogins(before, after, row.messaging, change.messaging)) {
        await this.#notices.notifyAdministrators(tenantTx, caller, loginsChange);
      }
    });
    return after;
  }
}

/** Requires that the role in require_mfa_role exists, and that a change cannot lock out system administrators. */
async function requireSafeLogins(
  tx: TenantTx,
  caller: Caller,
  { config: before }: TenantRecord,
  { config: after }: TenantRecord,
  fail: Refuse,
): Promise<void> {
  const { require_mfa_role: role } = after;
  if (role !== null && role !== before.require_mfa_role) {
    const [locked] = await lockRoles(tx, [role]);
    if (!locked) refuseRole(fail);
  }
  if (tx.tenantId === DEFAULT_TENANT) {
    await requireAdministrable(tx, caller, before, after, fail);
    await requireVerifiedCaller(tx, caller, before, after, fail);
    requirePasskeyOfCaller(tx, caller, before, after, fail);
  }
}

/** Runs work on a tenant, and records it as work across tenants unless the tenant is the caller's own. */
export function across<T>(
  system: SystemData,
  caller: Caller,
  reason: SystemWork,
  id: TenantId,
  work: (tx: SystemTx) => Promise<T>,
): Promise<T> {
  const isCallerTenant = id === caller.claims.tenant_id;
  return isCallerTenant ? system.maintain(reason, work) : system.run(caller, reason, work, id);
}

/** Requires a system administrator for changes of domains, is_active and the issuer. */
function requireMayChange(id: TenantId, caller: Caller, patch: Patch, fail: Refuse): void {
  const isSystemOnly =
    patch.domains !== undefined || patch.is_active !== undefined || patch.issuer !== undefined;
  if (isSystemOnly && !caller.isSystemAdministrator) fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  if (id !== DEFAULT_TENANT) return;
  if (patch.is_active === false) fail('DEFAULT_TENANT_PROTECTED');
}

/** Merges each top-level object field by field, and replaces the other fields. */
function changeOf(
  row: TenantDetails,
  before: TenantRecord,
  { name, config, branding, is_active: isActive, issuer }: Patch,
  messaging: Parameters<typeof mergeMessaging>[1] | undefined,
): TenantChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...(issuer === undefined || issuer === before.issuer ? {} : { issuer }),
    // A default that the caller repeats is not stored as a setting.
    ...(config ? { config: mergeSettings(row.config, changedFields(config, before.config)) } : {}),
    ...(branding ? { branding: mergeSettings(row.branding, branding) } : {}),
    ...(messaging ? { messaging: mergeMessaging(row.messaging, messaging) } : {}),
  };
}

/** Returns the changed fields. Records do not show secrets, so the stored messaging settings are compared. */
function changedParts(
  row: TenantDetails,
  before: TenantRecord,
  after: TenantRecord,
  { messaging }: TenantChange,
): string[] {
  const past = { ...before, messaging: row.messaging };
  return Object.keys(changedFields({ ...after, messaging: messaging ?? row.messaging }, past));
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
    config: config ?? row.config,
    branding: branding ?? row.branding,
    messaging: messaging ?? row.messaging,
    domains: domains?.toSorted() ?? row.domains,
  };
}

/** The maximum length of a value, as JSON, in the record of a change; longer values are omitted. */
const LONGEST_RECORDED = 256;

/** The settings whose previous and new values are recorded. None of them contains a secret. */
function settingsOf({ name, domains, issuer, is_active, config }: TenantRecord) {
  const settings = Object.entries(config).map(([key, value]) => [`config.${key}`, value] as const);
  return new Map<string, unknown>([
    ...Object.entries({ name, domains, issuer, is_active }),
    ...settings,
  ]);
}

/** Records which fields of a tenant were set, and the previous and new values of plain settings. */
function recordChange(
  tx: TenantTx,
  by: Actor,
  fields: string[],
  before: TenantRecord,
  after: TenantRecord,
): Promise<void> {
  const past = settingsOf(before);
  const changes = [...settingsOf(after)]
    .map(([name, value]) => ({ name, before: past.get(name), after: value }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
    .map((change) =>
      JSON.stringify(change).length > LONGEST_RECORDED ? { name: change.name } : change,
    );
  return record(tx, by, {
    action: 'tenant.updated',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { fields, changes },
    events: [{ type: 'tenant.updated', data: { fields } }],
  });
}

/**
 * Returns the changes to report to administrators.
 * @param stored the messaging settings before and after, with sealed secrets; undefined if they did not change
 */
function changesOfLogins(
  before: Pick<TenantRecord, 'domains'>,
  after: Pick<TenantRecord, 'domains' | 'messaging'>,
  stored: unknown,
  change: object | undefined,
): LoginsChange[] {
  const past = stored as TenantMessaging;
  const present = (change ?? past) as TenantMessaging;
  const isChanged = (group: 'email' | 'sms') =>
    JSON.stringify(past[group]) !== JSON.stringify(present[group]);
  const { email, sms } = after.messaging;
  const changes: LoginsChange[] = [];
  if (before.domains.join() !== after.domains.join()) {
    changes.push({ what: 'domains', changed: after.domains.join(', ') });
  }
  if (isChanged('email')) {
    const what = email ? 'mail_server' : 'mail_server_removed';
    changes.push({ what, changed: email?.smtp_host ?? '', formerEmail: past.email ?? {} });
  }
  if (isChanged('sms')) {
    const smsChange = [sms?.provider, hostOf(sms?.url)].filter(Boolean).join(', ');
    changes.push({ what: sms ? 'sms_provider' : 'sms_provider_removed', changed: smsChange });
  }
  return changes;
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

/**
 * Ends, when a tenant becomes active again, everything issued before it became inactive: sessions permanently, and
 * access tokens of agents by their access version. API keys and delegations remain, and new tokens are issued from
 * them. Triggers notify offline verifiers, and end the tokens of impersonating administrators.
 */
async function endFormerAccess(tx: TenantTx): Promise<void> {
  await endSessionsOfTenant(tx, 'deactivated');
  await outdateAgents(tx);
  await outdateDelegations(tx);
}
