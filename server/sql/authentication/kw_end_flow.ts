// Made from kw_end_flow.sql by `npm run generate`.

import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const endFlow: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
  readonly now: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_end_flow',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_end_flow($1, $2, $3, $4) AS answer',
  values: (tenant, { flow, tokenHash, now }) => [tenant, flow, tokenHash, now],
};
