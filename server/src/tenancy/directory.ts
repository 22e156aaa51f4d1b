import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { createCache } from '../platform/cache/cache.ts';
import type { Database } from '../platform/db/database.ts';
import type { Changes, QueryTime } from './changes.ts';
import { withDefaults } from './config.ts';
import { normaliseDomain } from './domain.ts';
import {
  findTenantRow,
  type KeptSigningKey,
  loadTenant,
  type NamedTenant,
  type TenantRow,
} from './store.ts';
import type { ForeignHashes, Tenant } from './tenant.ts';
import { type Found, TenantCache } from './tenant-cache.ts';

const MAX_CONFIGS = 1000;
/** Shared by all tenants without one. */
const NO_PROVIDERS: Tenant['providers'] = [];

/** Finds tenants by id or host name. */
export interface TenantDirectory {
  findById(id: string): Found<Tenant> | undefined;
  findByHost(host: string): Found<Tenant> | undefined;
  /** From the database, not from the cache. */
  askById(id: TenantId): Promise<Tenant | undefined>;
}

/** Called with the keys of a tenant that was loaded, and with when they were read. */
export type LearnKeys = (id: TenantId, keys: readonly KeptSigningKey[], asOf: QueryTime) => void;

/** @param sendsMailForAll whether the service sends the mail of tenants without a mail server */
export function createTenantDirectory(
  database: Database,
  changes: Changes,
  baseUrl: () => string,
  learnKeys: LearnKeys,
  sendsMailForAll = false,
): TenantDirectory {
  const configOf = sharedConfigs();
  const present = (row: TenantRow): Tenant => ({
    ...presentTenant(row, configOf(row.config), baseUrl()),
    sendsMail: sendsMailForAll || row.has_mail_server,
    foreignHashes: (row.foreign_hashes as ForeignHashes | null) ?? undefined,
    providers: (row.identity_providers as Tenant['providers'] | null) ?? NO_PROVIDERS,
  });
  const tenantOf = (tenant: Tenant) => tenant.id;
  async function load(by: NamedTenant, asOf: QueryTime) {
    const loaded = await loadTenant(database, by);
    if (!loaded) return undefined;
    // Nearly every request needs them next.
    learnKeys(loaded.row.tenant_id, loaded.keys, asOf);
    return present(loaded.row);
  }
  const byId = new TenantCache(changes, {
    load: (id: TenantId, asOf) => load({ id }, asOf),
    tenantOf,
  });
  const byDomain = new TenantCache(changes, {
    load: (domain: string, asOf) => load({ domain }, asOf),
    tenantOf,
  });
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
      return domain === undefined ? undefined : byDomain.find(domain);
    },
  };
}

/** Most tenants have the same settings, and share them in memory. */
function sharedConfigs(): (kept: Record<string, unknown>) => TenantConfig {
  const known = createCache<string, TenantConfig>(MAX_CONFIGS);
  return (kept) => {
    const text = JSON.stringify(kept);
    const config = known.get(text) ?? withDefaults(kept);
    known.set(text, config);
    return config;
  };
}

function presentTenant(row: TenantRow, config: TenantConfig, baseUrl: string) {
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

/** The issuer of a tenant without a custom one. */
export function issuerOf(tenantId: string, baseUrl: string): string {
  return tenantId === DEFAULT_TENANT ? baseUrl : `${baseUrl}/t/${tenantId}`;
}
