// Made from kw_enter.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export const enter: TenantCall<Record<string, never>, unknown> = {
  text: 'SELECT kw_enter($1)',
  values: (tenant) => [tenant],
};
