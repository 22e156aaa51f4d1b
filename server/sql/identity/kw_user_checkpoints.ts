// Made from kw_user_checkpoints.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export interface UserCheckpointsRow {
  readonly value: string | null;
  readonly id: string | null;
  readonly passed: number;
}

export const userCheckpoints: TenantCall<{
  readonly field: string;
  readonly step: number;
}, UserCheckpointsRow> = {
  text: 'SELECT * FROM kw_user_checkpoints($1, $2, $3)',
  values: (tenant, { field, step }) => [tenant, field, step],
};
