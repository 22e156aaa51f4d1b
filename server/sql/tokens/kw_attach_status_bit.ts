// Made from kw_attach_status_bit.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const attachStatusBit: Statement & TenantCall<{
  readonly grants: readonly string[];
  readonly versions: readonly number[];
  readonly listTenant: TenantId;
  readonly idx: number;
  readonly expiresAt: Date;
  readonly now: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_attach_status_bit',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_attach_status_bit($1, $2, $3, $4, $5, $6, $7) AS answer',
  values: (tenant, { grants, versions, listTenant, idx, expiresAt, now }) => [tenant, grants, versions, listTenant, idx, expiresAt, now],
};
