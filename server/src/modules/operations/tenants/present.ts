import type { TenantBranding, TenantRecord } from '@keywright/contract/records/tenant';
import { withDefaults } from '../../../tenancy/config.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { maskMessaging } from './messaging.ts';
import type { TenantDetails } from './store.ts';

export function presentTenant(row: TenantDetails, baseUrl: string): TenantRecord {
  const { id } = row;
  return {
    id,
    tenant_id: id,
    name: row.name,
    slug: id.slice('org_'.length),
    domains: row.domains,
    issuer: row.issuer ?? issuerOf(id, baseUrl),
    config: withDefaults(row.config),
    branding: row.branding as TenantBranding,
    messaging: maskMessaging(row.messaging),
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}
