// Made from kw_use_totp.sql by `npm run generate`.

import type { FactorId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const useTotp: Statement & TenantCall<{
  readonly user: UserId;
  readonly factor: FactorId;
  readonly step: number;
  readonly now: Date;
}, { readonly answer: number | null }> = {
  name: 'kw_use_totp',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_use_totp($1, $2, $3, $4, $5) AS answer',
  values: (tenant, { user, factor, step, now }) => [tenant, user, factor, step, now],
};
