// Made from kw_user_marks.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export interface UserMarksRow {
  readonly value: string | null;
  readonly id: string | null;
  readonly passed: number;
}

export const userMarks: TenantCall<{
  readonly field: string;
  readonly step: number;
}, UserMarksRow> = {
  text: 'SELECT * FROM kw_user_marks($1, $2, $3)',
  values: (tenant, { field, step }) => [tenant, field, step],
};
