import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type {
  TenantBranding,
  TenantConfig,
  TenantMessaging,
} from '@keywright/contract/records/tenant';
import type { Caller, SystemActor } from '../../tenancy/caller.ts';
import { type MasterKeys, newDataKey } from '../../tenancy/data-keys.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import { readMasterKeyId } from '../installation/index.ts';
import { actingIn, type Change, written } from '../journal/index.ts';
import { builtinRolesOf } from '../roles/index.ts';
import { newSealedKey } from '../signing-keys/index.ts';
import { sealMessaging } from './messaging.ts';
import { requireDomains, requireOwnClaims, tenantIdOf } from './rules.ts';
import { insertTenant } from './store.ts';

export interface NewTenant {
  readonly name: string;
  readonly slug?: string;
  readonly domains?: readonly string[];
  readonly config?: Partial<TenantConfig>;
  readonly branding?: TenantBranding;
  readonly messaging?: TenantMessaging;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'SLUG_TAKEN' | 'DOMAIN_TAKEN' | 'CLAIM_RESERVED'>;

/** Writes a whole tenant: data key, signing key, workspace and roles. */
export async function writeTenant(
  tx: SystemTx,
  by: Caller | SystemActor,
  masterKeys: MasterKeys,
  tenant: NewTenant,
  now: Date,
  fail: Refuse,
): Promise<TenantId> {
  const id = tenantIdOf(tenant.name, tenant.slug, fail);
  const domains = requireDomains(tenant.domains ?? [], fail);
  requireOwnClaims(tenant.config, fail);
  const dataKey = newDataKey();
  const wrapped = masterKeys.wrap(id, dataKey, await readMasterKeyId(tx));
  const creation: Change = {
    action: 'tenant.created',
    target: { kind: 'tenant', id },
    details: { name: tenant.name, domains },
  };
  const row = {
    id,
    name: tenant.name,
    settings: {
      config: tenant.config ?? {},
      branding: tenant.branding ?? {},
      messaging: sealMessaging(tenant.messaging ?? {}, id, dataKey),
    },
    dataKey: wrapped,
    signingKey: newSealedKey(id, dataKey, now),
    roles: builtinRolesOf(id),
    domains,
    entries: written(id, actingIn(id, by), [creation], now).entries,
  };
  const outcome = await insertTenant(tx, row, now);
  if (outcome === 'slug_taken') fail('SLUG_TAKEN');
  if (outcome === 'domain_taken') fail('DOMAIN_TAKEN');
  return id;
}
