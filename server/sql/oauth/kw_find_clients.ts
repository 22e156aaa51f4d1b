// Made from kw_find_clients.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findClients: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly clients: readonly OAuthClientId[];
}, { readonly answer: (Omit<OAuthClientRecord, 'secrets' | 'created_at' | 'last_used_at'> & { readonly version: number; readonly secret_hashes: readonly string[] } | null)[] }> = {
  name: 'kw_find_clients',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_clients($1, $2) AS answer',
  values: ({ tenants, clients }) => [tenants, clients],
};
