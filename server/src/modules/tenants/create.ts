import { parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Clock } from '../../platform/clock.ts';
import { type MasterKey, newDataKey } from '../../tenancy/data-keys.ts';
import { normaliseDomain } from '../../tenancy/domain.ts';
import type { SystemData, SystemTx } from '../../tenancy/system.ts';
import { insertBuiltinRoles } from '../roles/index.ts';
import { createSigningKey } from '../signing-keys/index.ts';
import { insertTenant } from './store.ts';

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly domains?: readonly string[];
  readonly config?: Partial<TenantConfig>;
}

/** Creates tenants: each complete, with its own data key, signing key, workspace and roles, or not at all. */
export interface Tenants {
  create(actor: string, tenant: NewTenant): Promise<TenantId>;
}

export function createTenants(system: SystemData, masterKey: MasterKey, clock: Clock): Tenants {
  return {
    create: (actor, tenant) =>
      system.run(actor, `create tenant ${tenant.slug}`, (tx) =>
        writeTenant(tx, masterKey, tenant, clock.now()),
      ),
  };
}

/** Writes a whole tenant. @throws when the slug or a domain is not of its form, or taken */
export async function writeTenant(
  tx: SystemTx,
  masterKey: MasterKey,
  tenant: NewTenant,
  now: Date,
): Promise<TenantId> {
  const id = parseTenantId(`org_${tenant.slug}`);
  if (!id) throw new Error(`${JSON.stringify(tenant.slug)} is not a slug.`);
  const dataKey = newDataKey();
  await insertTenant(
    tx,
    {
      id,
      name: tenant.name,
      domains: (tenant.domains ?? []).map(requireDomain),
      config: tenant.config ?? {},
      wrappedDataKey: masterKey.wrap(id, dataKey),
      masterKeyId: masterKey.id,
    },
    now,
  );
  await insertBuiltinRoles(tx, id, now);
  await createSigningKey(tx, id, dataKey, now);
  return id;
}

function requireDomain(text: string): string {
  const domain = normaliseDomain(text);
  if (domain === undefined) throw new Error(`${JSON.stringify(text)} is not a domain.`);
  return domain;
}
