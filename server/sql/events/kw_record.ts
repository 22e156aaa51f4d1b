// Made from kw_record.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export const record: TenantCall<{
  readonly entries: string;
  readonly events: string;
}, { readonly answer: string[] | null }> = {
  text: 'SELECT kw_record($1, $2, $3) AS answer',
  values: (tenant, { entries, events }) => [tenant, entries, events],
};
