import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { Cache } from '../platform/cache/cache.ts';
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
/** Shared by all tenants without identity providers. */
const NO_PROVIDERS: Tenant['providers'] = [];

/** Called with the keys of a loaded tenant and the time of the read. */
export type LearnKeys = (id: TenantId, keys: readonly KeptSigningKey[], asOf: QueryTime) => void;

/** Finds tenants by ID or host name. */
export class TenantDirectory {
  readonly #database: Database;
  readonly #baseUrl: () => string;
  readonly #learnKeys: LearnKeys;
  readonly #sendsMailForAll: boolean;
  readonly #byId: TenantCache<TenantId, Tenant>;
  readonly #byDomain: TenantCache<string, Tenant>;
  /** Most tenants have the same settings, and share them in memory. */
  readonly #configs = new Cache<string, TenantConfig>(MAX_CONFIGS);

  /** @param sendsMailForAll whether the service sends the email of tenants without a mail server */
  constructor(
    database: Database,
    changes: Changes,
    baseUrl: () => string,
    learnKeys: LearnKeys,
    sendsMailForAll = false,
  ) {
    this.#database = database;
    this.#baseUrl = baseUrl;
    this.#learnKeys = learnKeys;
    this.#sendsMailForAll = sendsMailForAll;
    const tenantOf = (tenant: Tenant) => tenant.id;
    this.#byId = new TenantCache(changes, {
      load: (id: TenantId, asOf) => this.#load({ id }, asOf),
      tenantOf,
    });
    this.#byDomain = new TenantCache(changes, {
      load: (domain: string, asOf) => this.#load({ domain }, asOf),
      tenantOf,
    });
  }

  findById(text: string): Found<Tenant> | undefined {
    const id = parseTenantId(text);
    return id && this.#byId.find(id);
  }

  findByHost(host: string): Found<Tenant> | undefined {
    const domain = normaliseDomain(host);
    return domain === undefined ? undefined : this.#byDomain.find(domain);
  }

  /** Reads the tenant from the database, not from the cache. */
  async askById(id: TenantId): Promise<Tenant | undefined> {
    const row = await findTenantRow(this.#database, { id });
    return row && this.#present(row);
  }

  async #load(by: NamedTenant, asOf: QueryTime): Promise<Tenant | undefined> {
    const loaded = await loadTenant(this.#database, by);
    if (!loaded) return undefined;
    // Nearly every request needs the keys next.
    this.#learnKeys(loaded.row.tenant_id, loaded.keys, asOf);
    return this.#present(loaded.row);
  }

  #present(row: TenantRow): Tenant {
    return {
      ...presentTenant(row, this.#configOf(row.config), this.#baseUrl()),
      sendsMail: this.#sendsMailForAll || row.has_mail_server,
      foreignHashes: (row.foreign_hashes as ForeignHashes | null) ?? undefined,
      providers: (row.identity_providers as Tenant['providers'] | null) ?? NO_PROVIDERS,
    };
  }

  #configOf(stored: Record<string, unknown>): TenantConfig {
    const text = JSON.stringify(stored);
    const config = this.#configs.get(text) ?? withDefaults(stored);
    this.#configs.set(text, config);
    return config;
  }
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
