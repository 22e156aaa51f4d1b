// Made from kw_use_totps.sql by `npm run generate`.

import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface UseTotpsRow {
  readonly place: number;
  readonly auth_version: number;
}

export const useTotps: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly users: readonly UserId[];
  readonly factors: readonly FactorId[];
  readonly steps: readonly number[];
  readonly now: readonly Date[];
}, UseTotpsRow> = {
  name: 'kw_use_totps',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_use_totps($1, $2, $3, $4, $5)',
  values: ({ tenants, users, factors, steps, now }) => [tenants, users, factors, steps, now],
};
