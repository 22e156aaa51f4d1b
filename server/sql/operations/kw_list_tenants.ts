// Made from kw_list_tenants.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { TenantBranding, TenantConfig, TenantMessaging } from '@keywright/contract/records/tenant';
import type { SystemCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ListTenantsRow {
  readonly tenants: [id: TenantId, name: string, config: Partial<TenantConfig>, branding: TenantBranding, messaging: TenantMessaging, issuer: string | null, isActive: boolean, createdAt: string, domains: string[]][] | null;
  readonly counted: number;
}

export const listTenants: Statement & SystemCall<{
  readonly descending: boolean;
  readonly moment: string;
  readonly id: string;
  readonly skip: number;
  readonly limit: number;
  readonly countUpTo: number;
}, ListTenantsRow> = {
  name: 'kw_list_tenants',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_list_tenants($1, $2, $3, $4, $5, $6, $7)',
  values: (entries, { descending, moment, id, skip, limit, countUpTo }) => [entries, descending, moment, id, skip, limit, countUpTo],
};
