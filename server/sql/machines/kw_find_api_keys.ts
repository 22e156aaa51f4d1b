// Made from kw_find_api_keys.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findApiKeys: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly hashes: readonly Buffer[];
  readonly now: Date;
}, { readonly answer: string }> = {
  name: 'kw_find_api_keys',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_api_keys($1, $2, $3) AS answer',
  values: ({ tenants, hashes, now }) => [tenants, hashes, now],
};
