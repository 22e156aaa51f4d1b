import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';
import type { Database } from '../platform/db/database.ts';
import { type Changes, remembered } from './changes.ts';
import { normaliseDomain } from './domain.ts';
import { findTenantRow, type TenantRow } from './store.ts';
import type { Tenant } from './tenant.ts';

/** Finds tenants by what a request says. */
export interface TenantDirectory {
  findById(id: string): Promise<Tenant | undefined>;
  findByHost(host: string): Promise<Tenant | undefined>;
}

export function createTenantDirectory(
  database: Database,
  changes: Changes,
  baseUrl: () => string,
): TenantDirectory {
  const present = (row: TenantRow | undefined) => row && presentTenant(row, baseUrl());
  const idOf = (tenant: Tenant) => tenant.id;
  const byId = remembered(
    changes,
    async (id: TenantId) => present(await findTenantRow(database, { id })),
    idOf,
  );
  const byDomain = remembered(
    changes,
    async (domain: string) => present(await findTenantRow(database, { domain })),
    idOf,
  );
  return {
    async findById(text) {
      const id = parseTenantId(text);
      return id && byId(id);
    },
    async findByHost(host) {
      const domain = normaliseDomain(host);
      return domain === undefined ? undefined : byDomain(domain);
    },
  };
}

function presentTenant(row: TenantRow, baseUrl: string): Tenant {
  const issuer = row.issuer ?? issuerOf(row.tenant_id, baseUrl);
  const config = Default(TenantConfig, row.config) as TenantConfig;
  return {
    id: row.tenant_id,
    name: row.name,
    config,
    issuer,
    audience: config.audience ?? issuer,
    isActive: row.is_active,
  };
}

/** The issuer of a tenant that has none of its own. */
export function issuerOf(tenantId: string, baseUrl: string): string {
  return tenantId === DEFAULT_TENANT ? baseUrl : `${baseUrl}/t/${tenantId}`;
}
