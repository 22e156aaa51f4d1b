import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import { type Changes, remembered, rememberedOfTenant } from './changes.ts';
import { withDefaults } from './config.ts';
import { normaliseDomain } from './domain.ts';
import { findTenantRow, type TenantRow } from './store.ts';
import type { Tenant } from './tenant.ts';

const MAX_CONFIGS = 1000;

/** Finds tenants by what a request says. */
export interface TenantDirectory {
  findById(id: string): Promise<Tenant | undefined>;
  findByHost(host: string): Promise<Tenant | undefined>;
  /** As it is this moment, not as it is remembered. */
  askById(id: TenantId): Promise<Tenant | undefined>;
}

export function createTenantDirectory(
  database: Database,
  changes: Changes,
  baseUrl: () => string,
): TenantDirectory {
  const configOf = sharedConfigs();
  const present = (row: TenantRow | undefined) =>
    row && presentTenant(row, configOf(row.config), baseUrl());
  const idOf = (tenant: Tenant) => tenant.id;
  const askById = async (id: TenantId) => present(await findTenantRow(database, { id }));
  const byId = rememberedOfTenant(changes, askById, idOf);
  const byDomain = remembered(
    changes,
    async (domain: string) => present(await findTenantRow(database, { domain })),
    idOf,
  );
  return {
    askById,
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

/** Tenants with the same settings, which most have, share them in memory. */
function sharedConfigs(): (kept: Record<string, unknown>) => TenantConfig {
  const known = new LRUCache<string, TenantConfig>({ max: MAX_CONFIGS });
  return (kept) => {
    const text = JSON.stringify(kept);
    const config = known.get(text) ?? withDefaults(kept);
    known.set(text, config);
    return config;
  };
}

function presentTenant(row: TenantRow, config: TenantConfig, baseUrl: string): Tenant {
  const issuer = row.issuer ?? issuerOf(row.tenant_id, baseUrl);
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
