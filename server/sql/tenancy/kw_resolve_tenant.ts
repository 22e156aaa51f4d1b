// Made from kw_resolve_tenant.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { PublicProvider } from '@keywright/contract/records/identity-provider';
import type { TenantBranding, TenantMessaging } from '@keywright/contract/records/tenant';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ResolveTenantRow {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly branding: TenantBranding;
  readonly messaging: TenantMessaging;
  readonly issuer: string | null;
  readonly is_active: boolean;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly access_version: number;
  readonly foreign_hashes: { readonly key: string; readonly total: number; readonly schemes: Readonly<Record<string, number>>; readonly counted_at: string } | null;
  readonly identity_providers: (Omit<PublicProvider, 'tenant_id'> & { readonly captures?: readonly string[]; readonly trusts_mfa?: boolean })[] | null;
}

export const resolveTenant: Statement & Call<{
  readonly id: string | null;
  readonly domain: string | null;
}, ResolveTenantRow> = {
  name: 'kw_resolve_tenant',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_resolve_tenant($1, $2)',
  values: ({ id, domain }) => [id, domain],
};
