import type { SystemWork } from '@keywright/contract/audit';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type {
  TenantBrandingPatch,
  TenantConfigPatch,
  TenantMessagingPatch,
  TenantRecord,
} from '@keywright/contract/records/tenant';
import { auditKeyOf } from '../../../tenancy/audit-keys.ts';
import type { Caller, SystemActor } from '../../../tenancy/caller.ts';
import { withDefaults } from '../../../tenancy/directory.ts';
import { type MasterKeys, newDataKey } from '../../../tenancy/data-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { actingIn, type Change, serializeChanges } from '../../events/journal/index.ts';
import { builtinRolesOf } from '../../identity/roles/index.ts';
import { newSealedKey } from '../../tokens/signing-keys/index.ts';
import { mergeMessaging, sealMessaging, maskMessaging } from './messaging.ts';
import {
  mergeSettings,
  refuseDomains,
  refuseRole,
  requireDomains,
  requireGoodSettings,
  tenantIdOf,
} from './tenant-rules.ts';
import {
  insertTenant,
  type Into,
  type NewTenantRow,
  type Outcome,
  type TenantDetails,
} from './tenant-store.ts';

export interface NewTenant {
  readonly name: string;
  readonly slug?: string;
  readonly domains?: readonly string[];
  readonly config?: TenantConfigPatch;
  readonly branding?: TenantBrandingPatch;
  readonly messaging?: TenantMessagingPatch;
}

/** A tenant that was just created. */
interface WrittenTenant extends TenantDetails {
  readonly id: TenantId;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'SLUG_TAKEN' | 'DOMAIN_TAKEN' | 'CLAIM_RESERVED'>;

/**
 * Creates a tenant with its data key, signing key, workspace and roles. It first tries the master key of
 * KEYWRIGHT_MASTER_KEY, which nearly always wraps data keys; otherwise the database returns the ID of another master
 * key.
 */
export async function writeTenant(
  into: Into,
  by: Caller | SystemActor,
  masterKeys: MasterKeys,
  tenant: NewTenant,
  now: Date,
  fail: Refuse,
): Promise<WrittenTenant> {
  const dataKey = newDataKey();
  try {
    const row = newRow(by, tenant, dataKey, now, fail);
    let [masterKeyId = ''] = masterKeys.ids;
    for (;;) {
      const wrapped = masterKeys.wrap(row.id, dataKey, masterKeyId);
      const outcome = await insertTenant(into, row, wrapped);
      if (typeof outcome === 'string') return detailsOf(row, outcome, fail);
      ({ masterKeyId } = outcome);
    }
  } finally {
    dataKey.fill(0);
  }
}

/** Returns the reason for this work across tenants in the audit log. */
export function reasonOf({ slug, name }: NewTenant): SystemWork {
  return `create tenant ${slug ?? name}`;
}

function newRow(
  by: Caller | SystemActor,
  tenant: NewTenant,
  dataKey: Buffer,
  now: Date,
  fail: Refuse,
): NewTenantRow {
  const id = tenantIdOf(tenant.name, tenant.slug, fail);
  const domains = requireDomains(tenant.domains ?? [], fail);
  requireGoodSettings(tenant.config, fail);
  const roles = builtinRolesOf(id);
  const role = tenant.config?.require_mfa_role;
  if (role && !roles.some(({ name }) => name === role)) refuseRole(fail);
  const creation: Change = {
    action: 'tenant.created',
    target: { kind: 'tenant', id },
    details: { name: tenant.name, domains },
  };
  return {
    id,
    name: tenant.name,
    settings: {
      config: mergeSettings({}, tenant.config ?? {}),
      branding: mergeSettings({}, tenant.branding ?? {}),
      messaging: mergeMessaging({}, sealMessaging(tenant.messaging ?? {}, id, dataKey)),
    },
    signingKey: newSealedKey(id, dataKey, now),
    roles,
    domains,
    now,
    entries: serializeChanges(auditKeyOf(dataKey), id, actingIn(id, by), [creation], now).entries,
  };
}

function detailsOf(row: NewTenantRow, outcome: Outcome, fail: Refuse): WrittenTenant {
  if (outcome === 'slug_taken') {
    fail('SLUG_TAKEN', { detail: `The tenant id ${row.id} is taken. Choose another slug.` });
  }
  if (outcome === 'domain_taken') refuseDomains(row.domains, fail);
  const { id, name, settings, domains, now } = row;
  return {
    id,
    name,
    ...(settings as Pick<TenantDetails, 'config' | 'branding' | 'messaging'>),
    issuer: null,
    is_active: true,
    created_at: now,
    domains: domains.toSorted(),
  };
}

/** @param mailForAll how emails of tenants without their own mail server are delivered */
export function presentTenant(
  row: TenantDetails,
  baseUrl: string,
  mailForAll: TenantRecord['email_delivery'],
): TenantRecord {
  const { id } = row;
  const { smtp_host: host, from_address: sender } = row.messaging.email ?? {};
  return {
    id,
    tenant_id: id,
    name: row.name,
    slug: id.slice('org_'.length),
    domains: row.domains,
    issuer: row.issuer ?? issuerOf(id, baseUrl),
    config: withDefaults(row.config),
    branding: row.branding,
    messaging: maskMessaging(row.messaging),
    email_delivery: host !== undefined && sender !== undefined ? 'tenant' : mailForAll,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}
