// Made from kw_find_pushed_requests.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findPushedRequests: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly now: readonly Date[];
}, { readonly answer: ({ readonly parameters: string; readonly expires_at: string } | null)[] }> = {
  name: 'kw_find_pushed_requests',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_pushed_requests($1, $2, $3, $4) AS answer',
  values: ({ tenants, ids, clients, now }) => [tenants, ids, clients, now],
};
