// Made from kw_tenants_to_seal.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';

export const tenantsToSeal: Call<Record<string, never>, { readonly answer: TenantId }> = {
  text: 'SELECT * FROM kw_tenants_to_seal() AS answer',
  values: () => [],
};
