// Made from kw_lacks_enrolled_factor.sql by `npm run generate`.

import type { UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const lacksEnrolledFactor: Statement & TenantCall<{
  readonly user: UserId;
  readonly acr: string;
  readonly amr: readonly string[];
}, { readonly answer: boolean }> = {
  name: 'kw_lacks_enrolled_factor',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_lacks_enrolled_factor($1, $2, $3, $4) AS answer',
  values: (tenant, { user, acr, amr }) => [tenant, user, acr, amr],
};
