// Made from kw_load_tenant_and_providers.sql by `npm run generate`.

import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { PublicProvider } from '@keywright/contract/records/identity-provider';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type LoadTenantAndProvidersRow = {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly issuer: string | null;
  readonly is_active: boolean;
  readonly has_mail_server: boolean;
  readonly foreign_hashes: { readonly key: string; readonly total: number; readonly schemes: Readonly<Record<string, number>>; readonly counted_at: string } | null;
  readonly identity_providers: (Omit<PublicProvider, 'tenant_id'> & { readonly captures?: readonly string[]; readonly trusts_mfa?: boolean })[] | null;
  readonly id: SigningKeyId;
  readonly public_key: string;
  readonly private_key: Buffer | null;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
  readonly wrapped_key: Buffer | null;
  readonly master_key_id: string | null;
} | {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly issuer: string | null;
  readonly is_active: boolean;
  readonly has_mail_server: boolean;
  readonly foreign_hashes: { readonly key: string; readonly total: number; readonly schemes: Readonly<Record<string, number>>; readonly counted_at: string } | null;
  readonly identity_providers: (Omit<PublicProvider, 'tenant_id'> & { readonly captures?: readonly string[]; readonly trusts_mfa?: boolean })[] | null;
  readonly id: null;
  readonly public_key: string | null;
  readonly private_key: Buffer | null;
  readonly signs_from: Date | null;
  readonly retired_at: Date | null;
  readonly wrapped_key: Buffer | null;
  readonly master_key_id: string | null;
};

export const loadTenantAndProviders: Statement & Call<{
  readonly id: string | null;
  readonly domain: string | null;
}, LoadTenantAndProvidersRow> = {
  name: 'kw_load_tenant_and_providers',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_load_tenant_and_providers($1, $2)',
  values: ({ id, domain }) => [id, domain],
};
