// Made from kw_find_suppression.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindSuppressionRow {
  readonly reason: string;
}

export const findSuppression: Statement & TenantCall<{
  readonly id: string;
}, FindSuppressionRow> = {
  name: 'kw_find_suppression',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_suppression($1, $2)',
  values: (tenant, { id }) => [tenant, id],
};
