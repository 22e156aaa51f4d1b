// Made from kw_give_back.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const giveBack: Statement & TenantCall<{
  readonly subject: Buffer;
  readonly now: Date;
}, unknown> = {
  name: 'kw_give_back',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_give_back($1, $2, $3)',
  values: (tenant, { subject, now }) => [tenant, subject, now],
};
