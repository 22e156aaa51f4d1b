// Made from kw_enter.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export const enter: TenantCall<Record<string, never>, { readonly answer: string }> = {
  text: 'SELECT kw_enter($1) AS answer',
  values: (tenant) => [tenant],
};
