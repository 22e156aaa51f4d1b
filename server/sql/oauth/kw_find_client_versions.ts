// Made from kw_find_client_versions.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findClientVersions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly clients: readonly OAuthClientId[];
}, { readonly answer: (number | null)[] }> = {
  name: 'kw_find_client_versions',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_client_versions($1, $2) AS answer',
  values: ({ tenants, clients }) => [tenants, clients],
};
