// Made from kw_push_requests.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const pushRequests: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly parameters: readonly string[];
  readonly expiresAt: readonly Date[];
}, unknown> = {
  name: 'kw_push_requests',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_push_requests($1, $2, $3, $4, $5)',
  values: ({ tenants, ids, clients, parameters, expiresAt }) => [tenants, ids, clients, parameters, expiresAt],
};
