// Made from kw_push_known_requests.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const pushKnownRequests: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly versions: readonly number[];
  readonly parameters: readonly string[];
  readonly expiresAt: readonly Date[];
}, { readonly answer: boolean[] }> = {
  name: 'kw_push_known_requests',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_push_known_requests($1, $2, $3, $4, $5, $6) AS answer',
  values: ({ tenants, ids, clients, versions, parameters, expiresAt }) => [tenants, ids, clients, versions, parameters, expiresAt],
};
