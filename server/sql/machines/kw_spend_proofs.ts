// Made from kw_spend_proofs.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const spendProofs: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly ends: readonly Date[];
}, { readonly answer: string }> = {
  name: 'kw_spend_proofs',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_spend_proofs($1, $2, $3) AS answer',
  values: ({ tenants, ids, ends }) => [tenants, ids, ends],
};
