import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import { type Changes, type Remembering, remembered, rememberedOfTenant } from './changes.ts';
import { withDefaults } from './config.ts';
import { normaliseDomain } from './domain.ts';
import type { Mark } from './memory.ts';
import {
  findTenantRow,
  type KeptSigningKey,
  meetTenant,
  type NamedTenant,
  type TenantRow,
} from './store.ts';
import type { Tenant } from './tenant.ts';

const MAX_CONFIGS = 1000;

/** Finds tenants by what a request says. */
export interface TenantDirectory {
  findById(id: string): Remembering<Tenant> | undefined;
  findByHost(host: string): Remembering<Tenant> | undefined;
  /** As it is this moment, not as it is remembered. */
  askById(id: TenantId): Promise<Tenant | undefined>;
}

/** Told of the keys of a tenant that was met, and of when they were asked for. */
export type LearnKeys = (tenantId: TenantId, keys: readonly KeptSigningKey[], mark: Mark) => void;

export function createTenantDirectory(
  database: Database,
  changes: Changes,
  baseUrl: () => string,
  learnKeys: LearnKeys,
): TenantDirectory {
  const configOf = sharedConfigs();
  const present = (row: TenantRow) => presentTenant(row, configOf(row.config), baseUrl());
  const idOf = (tenant: Tenant) => tenant.id;
  async function meet(by: NamedTenant, mark: Mark) {
    const met = await meetTenant(database, by);
    if (!met) return undefined;
    // What it asks for next, nearly always.
    learnKeys(met.row.tenant_id, met.keys, mark);
    return present(met.row);
  }
  const byId = rememberedOfTenant(changes, (id: TenantId, mark) => meet({ id }, mark), idOf);
  const byDomain = remembered(changes, (domain: string, mark) => meet({ domain }, mark), idOf);
  return {
    async askById(id) {
      const row = await findTenantRow(database, { id });
      return row && present(row);
    },
    findById(text) {
      const id = parseTenantId(text);
      return id && byId.find(id);
    },
    findByHost(host) {
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
