import { DEFAULT_TENANT, parseTenantId } from '@keywright/contract/ids';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { LRUCache } from 'lru-cache';
import { Default } from 'typebox/value';
import type { Database } from '../platform/db/database.ts';
import { normaliseDomain } from './domain.ts';
import { findTenantRow, type TenantRow } from './store.ts';
import type { Tenant } from './tenant.ts';

type By = Parameters<typeof findTenantRow>[1];

/** A change of a tenant is in force everywhere after this long. */
const FRESH_MS = 1000;
const MAX_TENANTS = 10_000;

/** Finds tenants by what a request says. */
export interface TenantDirectory {
  findById(id: string): Promise<Tenant | undefined>;
  findByHost(host: string): Promise<Tenant | undefined>;
}

export function createTenantDirectory(database: Database, baseUrl: () => string): TenantDirectory {
  // Requests that ask at the same time share one look-up; an absent tenant is not remembered.
  const known = new LRUCache<string, Tenant, By>({
    max: MAX_TENANTS,
    ttl: FRESH_MS,
    fetchMethod: async (_key, _stale, { context }) => {
      const row = await findTenantRow(database, context);
      return row && present(row, baseUrl());
    },
  });

  return {
    async findById(id) {
      if (parseTenantId(id) === undefined) return undefined;
      return known.fetch(`id ${id}`, { context: { id } });
    },
    async findByHost(host) {
      const domain = normaliseDomain(host);
      if (domain === undefined) return undefined;
      return known.fetch(`domain ${domain}`, { context: { domain } });
    },
  };
}

function present(row: TenantRow, baseUrl: string): Tenant {
  const issuer = row.issuer ?? issuerOf(row.tenant_id, baseUrl);
  return {
    id: row.tenant_id,
    name: row.name,
    config: Default(TenantConfig, row.config) as TenantConfig,
    issuer,
    audience: row.audience ?? issuer,
    isActive: row.is_active,
  };
}

function issuerOf(tenantId: string, baseUrl: string): string {
  return tenantId === DEFAULT_TENANT ? baseUrl : `${baseUrl}/t/${tenantId}`;
}
