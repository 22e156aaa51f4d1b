// Made from kw_data_key.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface DataKeyRow {
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export const dataKey: Statement & TenantCall<Record<string, never>, DataKeyRow> = {
  name: 'kw_data_key',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_data_key($1)',
  values: (tenant) => [tenant],
};
